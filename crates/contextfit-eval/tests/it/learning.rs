//! Thresholds learned from the labels of small data sets.

use contextfit_eval::{converge, plot_convergence};

use crate::folders::{commit, questions};

#[test]
fn needed_passages_are_reported() {
    let dataset = questions();
    let found = converge(&dataset, 0.4, 0.1).unwrap();
    assert_eq!(found, converge(&dataset, 0.4, 0.1).unwrap(), "the same every time");
    assert!(found.questions <= dataset.items.len() && found.needed >= found.questions);
    assert_eq!((found.start.value, found.curve[0].reports, found.curve[0].mean), (0.4, 0, 0.4));
    assert_eq!(found.curve.last().unwrap().reports, found.needed);
    assert!(found.best.misses <= 0.1 && found.best.value <= 0.8);
    assert!(found.curve.iter().all(|reached| reached.low <= reached.high));
    let svg = plot_convergence(&[found]);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
}

#[test]
fn without_labels_on_passages_nothing_is_learned() {
    assert_eq!(converge(&commit(), 0.4, 0.1), None);
    assert_eq!(converge(&questions(), 7.0, 0.1), None);
    assert_eq!(converge(&questions(), 0.4, 0.0), None);
}
