//! `compare`: losses (paper 1, Table 2) or encoders (Table 3), each with settings of its own that
//! were chosen on the validation queries with the same number of trials.

use clap::ValueEnum;
use serde_json::{Value, json};
use smooth_clir::math::loss::Loss;

use super::figures::density_curves;
use super::plot;
use super::run::{Outcome, Run, Start};
use super::study::{Study, pretty};
use super::table::{Ranked, Row, Table};
use super::tuning::{Method, Tuned, spread_out, trained, tune};
use crate::corpus::Drawing;
use crate::error::Error;
use crate::evaluation::calibration;
use crate::terminal::values::name_of;
use crate::train::{EncoderName, ListKind, ListLoss, LossName, Plan, Variant};

/// The length at which the authors' released code clips gradients.
const RELEASED_CLIP: f32 = 5.0;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Over {
    /// Losses, the encoder being the average (Table 2)
    Losses,
    /// Encoders, the loss being SOSL (Table 3)
    Encoders,
    /// SOSL with three and with more grades, at immediate and at all thresholds, fixed and learned
    Grades,
}

/// How to compare.
pub struct Comparison<'a> {
    /// What.
    pub over: Over,
    /// The methods, the one that others are compared with first.
    pub methods: Vec<Method>,
    /// What the words' rows begin with.
    pub start: Start,
    /// How queries are split and negatives sampled, one table for each.
    pub drawings: Vec<Drawing>,
    /// How many settings of each method are tried.
    pub trials: usize,
    /// The epochs of a trial; those of the plan, unless given.
    pub tuning_epochs: Option<u64>,
    /// How often each is trained for the table.
    pub seeds: u64,
    /// The title of the report.
    pub title: &'a str,
}

/// The losses of Table 2 and rivals that the paper cites or leaves out, as variations of a plan. All
/// but the rows on cosine try every one of `epsilons`.
pub fn losses(plan: &Plan, epsilons: &[f32]) -> Vec<Method> {
    let row = |name: &str, plan: Plan| Method {
        name: name.into(),
        epsilons: if plan.epsilon == 0.0 { vec![0.0] } else { epsilons.to_vec() },
        plan,
        tunes_loss: true,
    };
    let graded = |name: &str, loss: LossName, thresholds: &[f32]| {
        let loss = loss.build(thresholds, LossName::SCALE).ok()?;
        Some(row(name, Plan { loss, ..plan.clone() }))
    };
    let two = LossName::Sosl.default_thresholds();
    let three = LossName::ThreePart.default_thresholds();
    let mut methods: Vec<Method> = [
        graded("SOSL", LossName::Sosl, two),
        graded("three-part L2", LossName::ThreePart, three),
        graded("three-part L2, (t1, t2, t2)", LossName::ThreePart, two),
        graded("MSE", LossName::Mse, two),
        graded("proportional odds, released", LossName::ProportionalOddsPaper, two),
        graded("proportional odds", LossName::ProportionalOdds, two),
    ]
    .into_iter()
    .flatten()
    .collect();
    let varied = |change: &dyn Fn(&mut Variant)| {
        let mut variant = plan.variant.clone();
        change(&mut variant);
        Plan { variant, ..plan.clone() }
    };
    methods.push(row("SOSL, all thresholds", varied(&|variant| variant.all_thresholds = true)));
    methods.push(row("SOSL, whole queries", varied(&|variant| variant.whole_queries = true)));
    for &kind in ListKind::value_variants() {
        let list = ListLoss { kind, scale: LossName::SCALE };
        methods.push(row(kind.title(), varied(&|variant| variant.list = Some(list))));
    }
    let clipped = Plan { clip: Some(RELEASED_CLIP), ..plan.clone() };
    let cosine = Plan { epsilon: 0.0, ..plan.clone() };
    let clipped_cosine = Plan { epsilon: 0.0, ..clipped.clone() };
    methods.push(row("SOSL, clipped", clipped));
    methods.push(row("SOSL on cosine", cosine));
    methods.push(row("SOSL on cosine, clipped", clipped_cosine));
    methods
}

/// The numbers of grades that training pairs have.
const GRADES: [usize; 3] = [3, 5, 7];
/// The margin of learned thresholds.
const MARGIN: f32 = 0.05;

/// SOSL in its two forms, with fixed and with learned thresholds, on three and more grades.
pub fn grades(plan: &Plan, epsilons: &[f32]) -> Vec<Method> {
    let mut methods = Vec::new();
    for grades in GRADES {
        for (form, all_thresholds) in [("immediate", false), ("all", true)] {
            for (kind, learned_margin) in [("", None), (", learned", Some(MARGIN))] {
                let thresholds = LossName::Sosl.default_thresholds();
                let thresholds = spread_out(thresholds[0], thresholds[1], grades - 1);
                let Ok(loss) = LossName::Sosl.build(&thresholds, LossName::SCALE) else { continue };
                let mut variant = plan.variant.clone();
                variant.all_thresholds = all_thresholds;
                variant.learned_margin = learned_margin;
                variant.grades = (grades > GRADES[0]).then_some(grades);
                methods.push(Method {
                    name: format!("{grades} grades, {form} thresholds{kind}"),
                    plan: Plan { loss, variant, ..plan.clone() },
                    tunes_loss: true,
                    epsilons: epsilons.to_vec(),
                });
            }
        }
    }
    methods
}

/// The encoders of Table 3, those with layers once with layers of their own for queries and documents and once with the
/// same; each has the settings that the paper gives it but for `epsilons`, of which it tries every one.
pub fn encoders(
    plan: &Plan,
    kinds: &[EncoderName],
    epsilons: &[f32],
    epochs: Option<u64>,
) -> Vec<Method> {
    let method = |encoder: EncoderName, shared_layers: bool| {
        let (learning_rate, decay, batch_size, paper_epochs) = encoder.defaults();
        let name = match encoder {
            EncoderName::Average => "average",
            EncoderName::Cnn => "DSSM-CNN",
            EncoderName::Lstm => "DSSM-LSTM, last states",
            EncoderName::LstmFirst => "DSSM-LSTM, states at the first word",
        };
        let shared = if shared_layers { ", shared layers" } else { "" };
        let plan = Plan {
            encoder,
            learning_rate,
            decay,
            batch_size: batch_size as usize,
            epochs: epochs.unwrap_or(paper_epochs),
            variant: Variant { shared_layers, ..plan.variant.clone() },
            ..plan.clone()
        };
        Method {
            name: format!("{name}{shared}"),
            epsilons: epsilons.to_vec(),
            plan,
            tunes_loss: false,
        }
    };
    let shares = |encoder: EncoderName| match encoder {
        EncoderName::Average => &[false][..],
        _ => &[false, true],
    };
    let rows =
        kinds.iter().flat_map(|&kind| shares(kind).iter().map(move |&shared| (kind, shared)));
    rows.map(|(kind, shared)| method(kind, shared)).collect()
}

/// The methods with these names, in the order of the methods.
pub fn only(methods: Vec<Method>, names: &[String]) -> Result<Vec<Method>, Error> {
    if let Some(unknown) = names.iter().find(|name| methods.iter().all(|m| m.name != **name)) {
        let known: Vec<String> =
            methods.iter().map(|method| format!("`{}`", method.name)).collect();
        let problem = format!("--row `{unknown}`: expected one of {}", known.join("; "));
        return Err(Error::Usage(problem));
    }
    Ok(methods.into_iter().filter(|method| names.contains(&method.name)).collect())
}

/// Tunes, trains, and writes `compare.json`, `compare.md` and `compare.svg`; for losses also
/// `densities.svg`.
pub fn compare(study: &Study, comparison: &Comparison<'_>) -> Result<(), Error> {
    let mut report = study.head(comparison.title);
    let mut results = Vec::new();
    let mut panels = Vec::new();
    let first_column = match comparison.over {
        Over::Losses => "loss",
        Over::Encoders => "encoder",
        Over::Grades => "grades",
    };
    for drawing in &comparison.drawings {
        let by = name_of(drawing.by);
        let run = |test| {
            let start = &comparison.start;
            move |plan: Plan| {
                let drawing = Drawing { grades: plan.variant.grades, ..*drawing };
                Run { plan, drawing, start: start.clone(), test }
            }
        };
        let short = |plan: Plan| {
            let epochs = comparison.tuning_epochs.unwrap_or(plan.epochs);
            run(false)(Plan { epochs, ..plan })
        };
        let tuned = tune(study, &comparison.methods, comparison.trials, short)?;
        let rows = trained(study, &tuned, comparison.seeds, run(true))?;
        report
            .push_str(&format!("\n## Split by {by}\n\n{}", settings(&tuned, &rows, first_column)));
        let all: Vec<&Row> = rows.iter().collect();
        let mut tables = Vec::new();
        for ranked in [Ranked::All, Ranked::Sampled] {
            let table = Table::new(&all, ranked, true);
            report.push_str(&format!(
                "\n### Split by {by}, {}\n\n{}",
                ranked.name(),
                table.to_report(first_column),
            ));
            tables.push(table.to_json());
            panels.push((format!("split by {by}, {}", ranked.name()), table));
        }
        let methods: Vec<Value> =
            tuned.iter().zip(&rows).map(|(t, row)| method_json(t, row)).collect();
        if comparison.over == Over::Losses && results.is_empty() {
            study.write("densities.svg", &density_curves(&rows)?)?;
        }
        results.push(json!({ "methods": methods, "split-by": by, "tables": tables }));
    }
    study.write("compare.json", &pretty(&json!({ "results": results })))?;
    study.write("compare.svg", &plot::points(comparison.title, &panels)?)?;
    study.write("compare.md", &report)
}

/// The settings chosen, and how well grades were told apart with them.
fn settings(tuned: &[Tuned], rows: &[Row], first_column: &str) -> String {
    let select = tuned.first().map_or("", |tuned| tuned.plan.select.name());
    let mut text = format!(
        "| {first_column} | epsilon | thresholds | scale | step size | trials | validation {select} | best epochs | undefined gradients | clipped steps | grade accuracy (macro) | kappa |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for (tuned, row) in tuned.iter().zip(rows) {
        let (_, thresholds, scale) = LossName::parts(&tuned.plan.loss);
        let list = tuned.plan.variant.list;
        let scale = match tuned.plan.loss {
            _ if list.is_some_and(|list| list.kind.has_scale()) => {
                list.map_or(String::new(), |list| list.scale.to_string())
            }
            Loss::ProportionalOdds { .. } => scale.to_string(),
            _ => String::new(),
        };
        let thresholds: Vec<String> = match list {
            Some(_) => Vec::new(),
            None => thresholds.iter().map(f32::to_string).collect(),
        };
        let epochs: Vec<String> = row.outcomes.iter().map(|o| o.epoch.to_string()).collect();
        let sum = |count: fn(&Outcome) -> u64| row.outcomes.iter().map(count).sum::<u64>();
        let confusion = confusion(row);
        let clipped = match tuned.plan.clip {
            Some(clip) => {
                format!("{} of {} at {clip}", sum(|o| o.clipped), sum(|o| o.steps))
            }
            None => String::new(),
        };
        text.push_str(&format!(
            "| {} | {} | {} | {scale} | {} | {} | {:.4} | {} | {} of {} | {clipped} | {:.3} | {:.3} |\n",
            tuned.name,
            tuned.plan.epsilon,
            thresholds.join(", "),
            tuned.plan.learning_rate,
            tuned.trials,
            tuned.selected,
            epochs.join(", "),
            sum(|outcome| outcome.undefined),
            sum(|outcome| outcome.pairs),
            calibration::macro_accuracy(&confusion).unwrap_or_default(),
            calibration::kappa(&confusion).unwrap_or_default(),
        ));
    }
    text
}

/// All seeds' true and predicted grades together.
fn confusion(row: &Row) -> Vec<Vec<u64>> {
    let mut sum: Vec<Vec<u64>> = Vec::new();
    for tested in row.outcomes.iter().filter_map(|outcome| outcome.test.as_ref()) {
        sum.resize(tested.confusion.len(), vec![0; tested.confusion.len()]);
        for (sum, row) in sum.iter_mut().zip(&tested.confusion) {
            sum.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
    }
    sum
}

fn method_json(tuned: &Tuned, row: &Row) -> Value {
    let confusion = confusion(row);
    let sum = |count: fn(&Outcome) -> u64| row.outcomes.iter().map(count).sum::<u64>();
    json!({
        "clipped": sum(|outcome| outcome.clipped),
        "confusion": confusion,
        "kappa": calibration::kappa(&confusion),
        "macro_accuracy": calibration::macro_accuracy(&confusion),
        "name": tuned.name,
        "pairs": sum(|outcome| outcome.pairs),
        "selected": tuned.selected,
        "settings": tuned.plan.describe(),
        "steps": sum(|outcome| outcome.steps),
        "tries": tuned.trials,
        "undefined": sum(|outcome| outcome.undefined),
    })
}

#[cfg(test)]
mod tests {
    use super::super::run::Tested;
    use super::*;

    #[test]
    fn chosen_rows_keep_the_reports_order_and_an_unknown_one_is_refused_with_the_names() {
        let loss = LossName::Sosl.build(&[0.2, 0.7], 1.0).unwrap();
        let all = || losses(&Plan::of_paper(EncoderName::Average, loss.clone()), &[1.0]);
        let names = |rows: &[&str]| {
            let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
            let methods = only(all(), &rows)?;
            Ok::<_, Error>(methods.into_iter().map(|method| method.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["ListMLE", "SOSL"]).unwrap(), ["SOSL", "ListMLE"]);
        let error = names(&["SOSL", "hinge"]).unwrap_err().to_string();
        assert!(error.contains("`hinge`") && error.contains("`three-part L2`"), "{error}");
    }

    fn outcome(epoch: u64, undefined: u64, clipped: u64, confusion: Vec<Vec<u64>>) -> Outcome {
        let test = Some(Tested { confusion, ..Tested::default() });
        let (steps, pairs) = (10, 100);
        Outcome { epoch, undefined, clipped, steps, pairs, test, ..Outcome::default() }
    }

    #[test]
    fn settings_are_told_where_a_loss_has_them_with_counts_over_all_seeds() {
        let plan = |loss: LossName| {
            let loss = loss.build(loss.default_thresholds(), 12.0).unwrap();
            Plan {
                epsilon: 0.25,
                learning_rate: 0.01,
                ..Plan::of_paper(EncoderName::Average, loss)
            }
        };
        let list = |kind| {
            let list = Some(ListLoss { kind, scale: 8.0 });
            Plan { variant: Variant { list, ..Variant::default() }, ..plan(LossName::Sosl) }
        };
        let plans = [
            plan(LossName::Sosl),
            Plan { clip: Some(5.0), ..plan(LossName::ProportionalOdds) },
            list(ListKind::ListMle),
            list(ListKind::RankCosine),
        ];
        // Of each true grade two in three are predicted; then all.
        let confusions = [vec![vec![2, 1], vec![1, 2]], vec![vec![3, 0], vec![0, 3]]];
        let (tuned, rows): (Vec<Tuned>, Vec<Row>) = plans
            .into_iter()
            .map(|plan| {
                let tuned = Tuned { name: "row".into(), plan, selected: 0.123_46, trials: 7 };
                let [first, second] = confusions.clone();
                let outcomes = vec![outcome(3, 2, 1, first), outcome(5, 0, 3, second)];
                (tuned, Row { name: "row".into(), outcomes })
            })
            .unzip();
        let text = settings(&tuned, &rows, "loss");
        assert!(text.starts_with("| loss | epsilon | thresholds |"), "{text}");
        let lines: Vec<&str> = text.lines().skip(2).collect();
        // Five in six; by chance half of them.
        let ending = "3, 5 | 2 of 200 |";
        let expected = [
            format!("| row | 0.25 | 0.2, 0.7 |  | 0.01 | 7 | 0.1235 | {ending}  | 0.833 | 0.667 |"),
            format!(
                "| row | 0.25 | 0.2, 0.7 | 12 | 0.01 | 7 | 0.1235 | {ending} 4 of 20 at 5 | 0.833 | 0.667 |"
            ),
            format!("| row | 0.25 |  | 8 | 0.01 | 7 | 0.1235 | {ending}  | 0.833 | 0.667 |"),
            format!("| row | 0.25 |  |  | 0.01 | 7 | 0.1235 | {ending}  | 0.833 | 0.667 |"),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn grades_have_two_forms_with_fixed_and_learned_thresholds_from_lowest_to_highest() {
        let loss = LossName::Sosl.build(&[0.2, 0.7], 1.0).unwrap();
        let methods = grades(&Plan::of_paper(EncoderName::Average, loss), &[0.1, 0.5]);
        let names: Vec<&str> = methods.iter().map(|method| &method.name[..]).collect();
        assert_eq!(
            names[..2],
            ["3 grades, immediate thresholds", "3 grades, immediate thresholds, learned"]
        );
        assert_eq!(names[2..4], ["3 grades, all thresholds", "3 grades, all thresholds, learned"]);
        assert_eq!(names.len(), 12);
        for (number, method) in methods.iter().enumerate() {
            let (grades, variant) = ([3, 5, 7][number / 4], &method.plan.variant);
            let (_, thresholds, _) = LossName::parts(&method.plan.loss);
            assert_eq!(thresholds.len(), grades - 1, "{}", method.name);
            // The paper's two, and as many between them as it takes, at equal distances.
            let step = 0.5 / (grades - 2) as f32;
            for (place, threshold) in thresholds.iter().enumerate() {
                assert!((threshold - 0.2 - step * place as f32).abs() < 0.006, "{thresholds:?}");
            }
            // Three are the data's own.
            assert_eq!(variant.grades, (grades > 3).then_some(grades));
            assert_eq!(variant.all_thresholds, number % 4 > 1, "{}", method.name);
            assert_eq!(variant.learned_margin, (number % 2 == 1).then_some(0.05));
            assert_eq!(method.epsilons, [0.1, 0.5]);
            assert!(method.tunes_loss);
        }
    }

    #[test]
    fn encoders_with_layers_have_two_rows_and_every_row_tries_each_epsilon() {
        let loss = LossName::Sosl.build(&[0.2, 0.7], 1.0).unwrap();
        let plan = Plan::of_paper(EncoderName::Average, loss);
        let kinds = [EncoderName::Average, EncoderName::Cnn, EncoderName::Lstm];
        let methods = encoders(&plan, &kinds, &[0.25, 1.0], None);
        let rows: Vec<(&str, bool)> = methods
            .iter()
            .map(|method| (&method.name[..], method.plan.variant.shared_layers))
            .collect();
        let expected = [
            ("average", false),
            ("DSSM-CNN", false),
            ("DSSM-CNN, shared layers", true),
            ("DSSM-LSTM, last states", false),
            ("DSSM-LSTM, last states, shared layers", true),
        ];
        assert_eq!(rows, expected);
        assert!(methods.iter().all(|method| method.epsilons == [0.25, 1.0]));
        // Each training's outcome has a file by its description.
        let described: Vec<String> =
            methods.iter().map(|method| method.plan.describe().to_string()).collect();
        assert!((1..described.len()).all(|at| !described[..at].contains(&described[at])));
    }
}
