//! English words whose forms no stemmer unites.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

/// The base form of `word`, in lowercase, if it is an irregular form of an English verb or noun.
pub(crate) fn base_form(word: &str) -> Option<&'static str> {
    // ablate: text.irregular => None
    static BASES: LazyLock<HashMap<&str, &str, FixedState>> = LazyLock::new(|| {
        let forms = IRREGULAR.split(';').filter_map(|entry| {
            let (base, forms) = entry.trim().split_once(' ')?;
            Some(forms.split(' ').map(move |form| (form, base)))
        });
        forms.flatten().collect()
    });
    BASES.get(word).copied()
}

/// Base forms, each followed by its irregular forms. Forms that are usually another word are omitted (`saw`, `felt`).
const IRREGULAR: &str = "arise arose arisen; awake awoke awoken; bear bore borne born; beat beaten; become became; \
    begin began begun; bend bent; bite bit bitten; bleed bled; blow blew blown; break broke broken; \
    breed bred; bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; \
    come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; \
    eat ate eaten; fall fell fallen; feed fed; fight fought; find found; flee fled; fling flung; fly flew flown; \
    forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; \
    give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; \
    keep kept; kneel knelt; know knew known; lay laid; lead led; leap leapt; learn learnt; leave left; lend lent; \
    lie lain; light lit; lose lost; make made; mean meant; meet met; mistake mistook mistaken; overcome overcame; \
    pay paid; prove proven; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see seen; seek sought; \
    sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; \
    sing sang sung; sink sank sunk; sit sat; slay slew slain; sleep slept; slide slid; sow sown; speak spoke spoken; \
    speed sped; spend spent; spin spun; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; \
    strike struck stricken; strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum; \
    swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; \
    understand understood; undertake undertook undertaken; wake woke woken; wear wore worn; weave wove woven; weep wept; \
    win won; withdraw withdrew withdrawn; withstand withstood; write wrote written; \
    child children; man men; woman women; foot feet; tooth teeth; goose geese; mouse mice; person people; life lives; \
    wife wives; wolf wolves; leaf leaves; half halves; calf calves; knife knives; shelf shelves; thief thieves; \
    index indices; matrix matrices; vertex vertices; criterion criteria; phenomenon phenomena; medium media; \
    datum data; analysis analyses; crisis crises; thesis theses; hypothesis hypotheses";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, base: Option<&str>) {
        assert_eq!(base_form(word), base);
    }

    #[test]
    fn forms() {
        check("wrote", Some("write"));
        check("children", Some("child"));
        check("hypotheses", Some("hypothesis"));
        check("write", None);
        check("", None);
    }
}
