//! How close values, and the records they are in, are to the query.

use foldhash::HashMap;

use super::{
    tree::{Node, NodeForm, Tree},
    worth::names_its_object,
};

/// The factor for members that name an object: a query for the version of serde wants the object of that name, not
/// every list that mentions it.
const NAME_MEMBER_FACTOR: f32 = 1.5;

/// A list of fewer records is too short to say what is common among them.
const SHORTEST_LIST: usize = 4;

/// A record that matches by this share of its match better than the median is fully what is asked for.
const LEAD: f32 = 0.25;

/// The share of its focus that a member keeps if its record matches no better than others: its key may be asked for.
const UNMATCHED_MEMBER_SHARE: f32 = 0.1;

/// The factor for each level of depth within an object.
const DEEPER: f32 = 0.7;

impl Tree<'_, '_> {
    /// The focus of the unit that opens each node, at most 1; lower in those of several records that match the query
    /// less, and without what most of them match. `focus` holds it for each unit from `start` on. Empty without a query.
    pub(super) fn closeness(&self, focus: &[f64], start: usize) -> Vec<f32> {
        let own = |node: &Node| {
            let unit = (node.from as usize).saturating_sub(start);
            let score =
                focus.get(unit).copied().filter(|score| score.is_finite() && node.form != NodeForm::Lines);
            let score = score.unwrap_or(0.0).clamp(0.0, 1.0) as f32;
            let is_name = score > 0.0 && node.children == 0 && names_its_object(self.opening(node));
            if is_name { (score * NAME_MEMBER_FACTOR).min(1.0) } else { score }
        };
        let mut own: Vec<f32> = self.nodes.iter().map(own).collect();
        if own.iter().all(|focus| *focus <= 0.0) {
            return Vec::new();
        }
        // The two highest focuses within each node, and the highest such sum among the children of each.
        let mut closest: Vec<(f32, f32)> = own.iter().map(|focus| (*focus, 0.0)).collect();
        let mut best: Vec<f32> = vec![0.0; self.nodes.len()];
        let sum = |(first, second): (f32, f32)| first + second;
        for (n, node) in self.nodes.iter().enumerate().rev() {
            let here = closest.get(n).copied().unwrap_or_default();
            best.get_mut(node.parent as usize).into_iter().for_each(|best| *best = best.max(sum(here)));
            let part = if node.children > 0 { DEEPER } else { 1.0 };
            let here = (here.0 * part, here.1 * part);
            if let Some(outer) = closest.get_mut(node.parent as usize) {
                *outer = match *outer {
                    (first, second) if here.0 > first => (here.0, first.max(second).max(here.1).min(here.0)),
                    (first, second) => (first, second.max(here.0)),
                };
            }
        }
        let sums: Vec<f32> = closest.into_iter().map(sum).collect();
        let common = self.common(&sums);
        let mut shares: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let of_parent = |values: &[f32]| values.get(node.parent as usize).copied();
            let above = of_parent(&shares).unwrap_or(1.0);
            let (best, common) = (of_parent(&best).unwrap_or(0.0), of_parent(&common).unwrap_or(0.0));
            let is_record = node.form == NodeForm::Object && best > 0.0;
            let own = sums.get(n).copied().unwrap_or(0.0) - common;
            let most = (best - common).max(best * LEAD);
            shares.push(if is_record { above * (own / most).max(UNMATCHED_MEMBER_SHARE) } else { above });
        }
        own.iter_mut().zip(shares).for_each(|(focus, share)| *focus *= share);
        own
    }

    /// For each list of at least [`SHORTEST_LIST`] records, the median of `sums` among them: what the query finds in
    /// half of the records does not tell them apart. 0 for all other nodes.
    fn common(&self, sums: &[f32]) -> Vec<f32> {
        let mut lists: HashMap<u32, Vec<f32>> = HashMap::default();
        let in_list =
            |node: &Node| self.node(node.parent).is_some_and(|parent| parent.form != NodeForm::Object);
        for (node, sum) in self.nodes.iter().zip(sums) {
            if node.form == NodeForm::Object && in_list(node) {
                lists.entry(node.parent).or_default().push(*sum);
            }
        }
        let mut common = vec![0.0; self.nodes.len()];
        for (list, mut sums) in lists.into_iter().filter(|(_, sums)| sums.len() >= SHORTEST_LIST) {
            let middle = sums.len() / 2;
            let (_, median, _) = sums.select_nth_unstable_by(middle, f32::total_cmp);
            common.get_mut(list as usize).into_iter().for_each(|common| *common = *median);
        }
        common
    }
}
