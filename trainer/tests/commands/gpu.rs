//! Training on a graphics card, or on what stands in for one in software.

use crate::toy::Place;
#[cfg(feature = "gpu")]
use crate::toy::{LEARN, QUICK, figures};

#[cfg(not(feature = "gpu"))]
#[test]
fn a_program_built_without_it_says_so() {
    let place = Place::new();
    place.refuses(
        &format!("{} --device gpu --out out/m", crate::toy::QUICK),
        2,
        &["--features gpu"],
    );
}

#[cfg(feature = "gpu")]
#[test]
fn a_model_trained_there_ranks_as_one_trained_on_the_processor() {
    let place = Place::new();
    let mut found = Vec::new();
    for device in ["cpu", "gpu"] {
        place.run(&format!("{LEARN} --device {device} --clip 5 --out {device}")).success();
        let result = place.json(&format!("evaluate {device} data --json"));
        found.push(figures(&result["metrics"]));
    }
    let [cpu, gpu] = &found[..] else { panic!("two trainings") };
    for (name, figure) in cpu {
        assert!((figure - gpu[name]).abs() < 0.02, "{name}: {figure} {}", gpu[name]);
    }
    let model = std::fs::read(place.path("gpu")).unwrap();
    assert!(String::from_utf8_lossy(&model).contains(r#"\"device\":\"gpu\""#));
}

#[cfg(feature = "gpu")]
#[test]
fn the_same_card_gives_the_same_bytes() {
    let place = Place::new();
    for out in ["one", "two"] {
        place.run(&format!("{QUICK} --device gpu --out {out}")).success();
    }
    assert_eq!(
        std::fs::read(place.path("one")).unwrap(),
        std::fs::read(place.path("two")).unwrap()
    );
}

#[cfg(feature = "gpu")]
#[test]
fn what_it_does_not_train_is_refused() {
    let place = Place::new();
    let loss = format!("{QUICK} --device gpu --loss proportional-odds --out out/m");
    place.refuses(&loss, 2, &["sosl, three-part or mse"]);
    let encoder = format!("{QUICK} --device gpu --encoder cnn --out out/m");
    place.refuses(&encoder, 2, &["only with --encoder average"]);
}
