//! What results say about strength.
//!
//! Scores of pairs of games with colours swapped are the unit (pentanomial: 0, ½, 1, 1½ or 2 points), since the two games of an
//! opening are not independent. Elo is logistic; its error is the normal one of the mean. The sequential test is the
//! generalised one: the log-likelihood ratio of the two hypotheses, each with the distribution most likely under it.

/// The standard normal quantile of a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;
/// Put in for outcomes that were not seen, so that no logarithm is of 0.
const UNSEEN: f64 = 1e-3;
/// What a difference of one standard deviation is in normalised Elo.
const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// How often each score was made, in equal steps from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tally {
    /// Losses, draws and wins.
    Games([u64; 3]),
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
}

/// Elo difference with its error.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Elo {
    /// The difference; infinite if every game was won or lost.
    pub elo: f64,
    /// Half the width of the 95 % interval; infinite if the difference is.
    pub error: f64,
    /// The likelihood that the first engine is the stronger one, 0 … 1.
    pub los: f64,
    /// The difference in standard deviations of a game, as normalised Elo.
    pub normalised: f64,
}

/// The logistic Elo difference of an expected score.
pub fn elo(score: f64) -> f64 {
    // Not -0 for an even score.
    400.0 * (score / (1.0 - score)).log10() + 0.0
}

/// The expected score of a logistic Elo difference.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The standard normal distribution function.
fn phi(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

impl Tally {
    fn counts(&self) -> &[u64] {
        match self {
            Tally::Games(counts) => counts,
            Tally::Pairs(counts) => counts,
        }
    }

    /// How many games or pairs there are.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Scores and how often each was made, none of them never.
    fn distribution(&self) -> Vec<(f64, f64)> {
        let counts = self.counts();
        let steps = (counts.len() - 1) as f64;
        let entry = |(n, &count)| (n as f64 / steps, (count as f64).max(UNSEEN));
        counts.iter().enumerate().map(entry).collect()
    }

    /// The mean score and the variance of a score.
    fn moments(&self) -> (f64, f64) {
        let counts = self.counts();
        let (total, steps) = (self.total() as f64, (counts.len() - 1) as f64);
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            let terms = counts.iter().enumerate();
            terms
                .map(|(n, &count)| count as f64 * f(n as f64 / steps))
                .sum::<f64>()
                / total
        };
        let mean = sum(&|score| score);
        (mean, sum(&|score| (score - mean).powi(2)))
    }

    /// How many games a score is the mean of.
    fn games_each(&self) -> f64 {
        match self {
            Tally::Games(_) => 1.0,
            Tally::Pairs(_) => 2.0,
        }
    }

    /// The Elo difference; `None` without games.
    pub fn elo(&self) -> Option<Elo> {
        if self.total() == 0 {
            return None;
        }
        let (mean, variance) = self.moments();
        let deviation = (variance / self.total() as f64).sqrt();
        let [below, above] = [mean - Z95 * deviation, mean + Z95 * deviation];
        let error = if mean <= 0.0 || mean >= 1.0 {
            f64::INFINITY
        } else if below <= 0.0 || above >= 1.0 {
            // Few games: an end of the interval has no Elo; the slope at the mean says what can be said.
            Z95 * deviation * NORMALISED / 2.0 / (mean * (1.0 - mean))
        } else {
            (elo(above) - elo(below)) / 2.0
        };
        let per_game = (variance * self.games_each()).sqrt();
        Some(Elo {
            elo: elo(mean),
            error,
            los: phi((mean - 0.5) / deviation.max(1e-12)),
            normalised: match mean - 0.5 {
                0.0 => 0.0,
                above => above / per_game * NORMALISED,
            },
        })
    }
}

/// In which unit a sequential test has its hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Elo by standard deviations: the same number needs the same number of games whatever the share of draws.
    Normalised,
    /// Elo by the expected score.
    Logistic,
}

/// A sequential probability ratio test of the first engine being `elo1` stronger against its being `elo0` stronger.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference under the hypothesis of no gain.
    pub elo0: f64,
    /// The difference under the hypothesis of gain.
    pub elo1: f64,
    /// The chance of accepting a gain that there is not.
    pub alpha: f64,
    /// The chance of rejecting a gain that there is.
    pub beta: f64,
    /// The unit of the differences.
    pub model: Model,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It goes on.
    Open,
    /// There is no such gain.
    H0,
    /// There is a gain.
    H1,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends: no gain below the first, gain above the second.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of the two hypotheses; positive for a gain.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.total() == 0 {
            return 0.0;
        }
        let seen = tally.distribution();
        let total: f64 = seen.iter().map(|(_, count)| count).sum();
        let pdf: Vec<(f64, f64)> = seen.iter().map(|&(a, n)| (a, n / total)).collect();
        let likeliest = |difference: f64| match self.model {
            Model::Logistic => with_mean(&pdf, expected(difference)),
            Model::Normalised => {
                with_ratio(&pdf, difference / NORMALISED * tally.games_each().sqrt())
            }
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let terms = pdf.iter().zip(p0.iter().zip(&p1));
        total
            * terms
                .map(|((_, p), (p0, p1))| p * (p1 / p0).ln())
                .sum::<f64>()
    }

    /// Whether the test is over.
    pub fn decision(&self, tally: &Tally) -> Decision {
        let (lower, upper) = self.bounds();
        match self.llr(tally) {
            llr if llr <= lower => Decision::H0,
            llr if llr >= upper => Decision::H1,
            _ => Decision::Open,
        }
    }
}

/// The likeliest distribution with `f` of mean 0, where `f` has a value for each entry: `p / (1 + x f)`, `x` such that the mean is
/// 0. The mean falls as `x` grows between the poles, so that bisection finds it.
fn balanced(pdf: &[(f64, f64)], f: &[f64]) -> Vec<f64> {
    let least = f.iter().copied().fold(f64::INFINITY, f64::min);
    let most = f.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return pdf.iter().map(|&(_, p)| p).collect();
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let mean: f64 = pdf
            .iter()
            .zip(f)
            .map(|(&(_, p), f)| p * f / (1.0 + x * f))
            .sum();
        if mean > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = f64::midpoint(low, high);
    pdf.iter()
        .zip(f)
        .map(|(&(_, p), f)| p / (1.0 + x * f))
        .collect()
}

/// The likeliest distribution with this mean score.
fn with_mean(pdf: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let f: Vec<f64> = pdf.iter().map(|(a, _)| a - mean).collect();
    balanced(pdf, &f)
}

/// The likeliest distribution whose mean lies `ratio` standard deviations above ½. The constraint is not linear; the
/// likeliest distribution under its linearisation at the last one found converges to it.
fn with_ratio(pdf: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    let mut p: Vec<f64> = vec![1.0 / pdf.len() as f64; pdf.len()];
    for _ in 0..50 {
        let mean: f64 = pdf.iter().zip(&p).map(|((a, _), p)| a * p).sum();
        let variance: f64 = pdf
            .iter()
            .zip(&p)
            .map(|((a, _), p)| (a - mean).powi(2) * p)
            .sum();
        let deviation = variance.sqrt();
        let slope =
            |a: f64| a - 0.5 - ratio * deviation * 0.5 * (1.0 + ((a - mean) / deviation).powi(2));
        let f: Vec<f64> = pdf.iter().map(|&(a, _)| slope(a)).collect();
        let next = balanced(pdf, &f);
        let change = p
            .iter()
            .zip(&next)
            .map(|(p, q)| (p - q).abs())
            .fold(0.0, f64::max);
        p = next;
        if change < 1e-12 {
            break;
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() < by, "{a} is not {b}");
    }

    #[test]
    fn elo_of_scores() {
        near(elo(0.5), 0.0, 1e-12);
        // 400 log10(3).
        near(elo(0.75), 190.848_501_887_864_98, 1e-9);
        near(expected(elo(0.6)), 0.6, 1e-12);
    }

    /// 100 pairs with 10, 20, 30, 25, 15: mean 215/400 = 0.5375; mean of squares (20/16 + 30/4 + 25·9/16 + 15)/100 =
    /// 0.378125; variance 0.378125 − 0.5375² = 0.08921875; deviation of the mean √(0.0008921875) = 0.029869508.
    #[test]
    fn pentanomial_by_hand() {
        let tally = Tally::Pairs([10, 20, 30, 25, 15]);
        let (mean, variance) = tally.moments();
        near(mean, 0.5375, 1e-12);
        near(variance, 0.089_218_75, 1e-12);
        let result = tally.elo().unwrap();
        // 400 log10(0.5375 / 0.4625).
        near(result.elo, 26.106_69, 1e-4);
        // Scores 0.478956837 and 0.596043163: Elo −14.63093 and 67.57710.
        near(result.error, (67.577_10 + 14.630_93) / 2.0, 1e-4);
        // Φ(0.0375 / 0.029869508) = Φ(1.255461).
        near(result.los, 0.895_344, 1e-5);
        // 0.0375 / √(2 · 0.08921875) · 347.4356.
        near(result.normalised, 30.843_4, 1e-3);
    }

    #[test]
    fn only_wins_are_infinitely_better() {
        let result = Tally::Games([0, 0, 5]).elo().unwrap();
        assert_eq!((result.elo, result.los), (f64::INFINITY, 1.0));
        assert!(Tally::Pairs([0; 5]).elo().is_none());
        assert_eq!(result.error, f64::INFINITY);
    }

    /// Mean 0.8, variance (2 · 0.3² + 3 · 0.2²) / 5 = 0.06, deviation of the mean √0.012; the interval ends above 1. The slope
    /// of Elo there is 400 / ln 10 / (0.8 · 0.2) = 1085.74.
    #[test]
    fn few_games_have_a_finite_error() {
        let result = Tally::Pairs([0, 0, 2, 0, 3]).elo().unwrap();
        near(result.error, 1.959_964 * 0.012f64.sqrt() * 1_085.736, 0.01);
    }

    /// Without draws the trinomial test is that of a coin, whose ratio is `W ln(p1/p0) + L ln(q1/q0)`.
    #[test]
    fn logistic_ratio_of_a_coin() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
        };
        let p = expected(50.0);
        let by_hand = 120.0 * (p / 0.5).ln() + 80.0 * ((1.0 - p) / 0.5).ln();
        near(sprt.llr(&Tally::Games([80, 0, 120])), by_hand, 1e-3);
        let (lower, upper) = sprt.bounds();
        near(lower, -2.944_439, 1e-6);
        near(upper, 2.944_439, 1e-6);
        assert_eq!(sprt.decision(&Tally::Games([80, 0, 120])), Decision::H1);
        assert_eq!(sprt.decision(&Tally::Games([100, 0, 100])), Decision::Open);
        assert_eq!(sprt.decision(&Tally::Games([120, 0, 80])), Decision::H0);
    }

    /// A coin with chance p has the ratio (p − ½)/√(p(1−p)); solved for p, the test is again that of a coin.
    #[test]
    fn normalised_ratio_of_a_coin() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 40.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalised,
        };
        let t: f64 = 40.0 / NORMALISED;
        let p = 0.5 + t / (2.0 * (1.0 + t * t).sqrt());
        let by_hand = 110.0 * (p / 0.5).ln() + 90.0 * ((1.0 - p) / 0.5).ln();
        near(sprt.llr(&Tally::Games([90, 0, 110])), by_hand, 1e-3);
    }

    /// For small differences and many pairs the ratio is near N ((t − t0)² … ) of the normal approximation:
    /// N (t1 − t0)(2 t̂ − t0 − t1)/2 with the t of a pair.
    #[test]
    fn pentanomial_ratio_is_near_the_normal_one() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalised,
        };
        let tally = Tally::Pairs([500, 900, 1_250, 950, 520]);
        let (mean, variance) = tally.moments();
        let (t, t1) = (
            (mean - 0.5) / variance.sqrt(),
            5.0 / NORMALISED * std::f64::consts::SQRT_2,
        );
        let normal = tally.total() as f64 * t1 * (2.0 * t - t1) / 2.0;
        near(sprt.llr(&tally), normal, 0.02);
        near(sprt.llr(&Tally::Pairs([0; 5])), 0.0, 1e-12);
    }

    #[test]
    fn hypotheses_swapped_swap_the_sign() {
        let sprt = |elo0, elo1| Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalised,
        };
        let (up, down) = (
            Tally::Pairs([3, 8, 20, 11, 5]),
            Tally::Pairs([5, 11, 20, 8, 3]),
        );
        near(sprt(0.0, 10.0).llr(&up), -sprt(10.0, 0.0).llr(&up), 1e-9);
        near(sprt(0.0, 10.0).llr(&up), -sprt(-10.0, 0.0).llr(&down), 1e-9);
        assert!(sprt(0.0, 10.0).llr(&Tally::Pairs([0, 0, 0, 0, 3])) > 0.0);
        assert!(sprt(0.0, 10.0).llr(&Tally::Pairs([3, 0, 0, 0, 0])) < 0.0);
    }
}
