//! SVG to PNG.

use resvg::{tiny_skia, usvg};
use thiserror::Error;

/// Why no PNG could be made.
#[derive(Debug, Error)]
pub enum PngError {
    /// The text is no SVG.
    #[error("the picture is no SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// There is no picture of this size.
    #[error("a picture cannot be {width} pixels wide")]
    Size {
        /// The width that was asked for.
        width: u32,
    },
    /// The pixels cannot be encoded.
    #[error("cannot write PNG: {0}")]
    Encoding(String),
}

/// The widest picture in pixels.
const WIDEST: u32 = 16_384;

/// Draws an SVG as a PNG of this many pixels in width. Nothing but the text is looked at: no fonts, no other files.
///
/// # Errors
///
/// The text is no SVG, or the width is none.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default())?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let mut pixels = Some(width)
        .filter(|&width| width <= WIDEST)
        .and_then(|width| tiny_skia::Pixmap::new(width, height))
        .ok_or(PngError::Size { width })?;
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| PngError::Encoding(error.to_string()))
}
