//! A picture of how training went.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::trainer::Losses;

/// The losses by epoch as an SVG picture.
///
/// # Errors
///
/// It cannot be drawn.
pub fn svg(losses: &[Losses]) -> Result<String> {
    let mut text = String::new();
    draw(losses, &mut text).map_err(|error| anyhow!("cannot draw: {error}"))?;
    Ok(text)
}

fn draw(losses: &[Losses], text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let values = || losses.iter().flat_map(|l| [l.training, l.validation]);
    let least = values().fold(f64::MAX, f64::min);
    let most = values().fold(f64::MIN, f64::max).max(least + 1e-6);
    let room = (most - least) * 0.05;
    let root = SVGBackend::with_string(text, (800, 500)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(15)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .caption("training", ("sans-serif", 20))
        .build_cartesian_2d(1..losses.len().max(2), least - room..most + room)?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_desc("mean squared error of the expected result")
        .draw()?;
    type Pick = fn(&Losses) -> f64;
    let curves: [(&str, RGBColor, Pick); 2] = [
        ("training", BLUE, |l| l.training),
        ("validation", RED, |l| l.validation),
    ];
    for (name, color, pick) in curves {
        let points = losses.iter().enumerate().map(|(n, l)| (n + 1, pick(l)));
        chart
            .draw_series(LineSeries::new(points, color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    root.present()?;
    Ok(())
}
