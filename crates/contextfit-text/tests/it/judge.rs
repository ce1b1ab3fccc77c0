//! Forty answers about five sources: twenty that a reader could rely on, and twenty that nobody could.

use contextfit_kernel::{Tokens, Unfit};
use contextfit_text::Judge;

const BOOKING: &str = "\
user: Hi, I need to change my flight. My user id is mia_li_3668 and the reservation is NO6JO3.
assistant: Thank you, Mia. I see reservation NO6JO3 from Boston to Seattle on May 20 in basic economy, paid with the card that ends in 4421.
user: Please move it to May 24, any flight after noon. I have a wedding on the 25th.
assistant: I'm sorry, but basic economy tickets cannot be changed. You can cancel within 24 hours of booking or buy the upgrade to economy for $152.
user: It was booked three days ago, so cancelling is no use. Is there travel insurance on it?
assistant: Yes, insurance for $30 is on it, but it covers health reasons only, not a change of plans.
user: Fine, then upgrade me to economy and move it to flight HAT083 on May 24, it leaves at 13:15.
assistant: The upgrade costs $152, and HAT083 costs $38 more than the old flight. The card that ends in 4421 would be charged $190 in all. Do you confirm?
user: Yes, go ahead, and keep my two checked bags.";

const INCIDENT: &str = "\
2025-03-04 09:12:07 WARN  pool exhausted: 64 of 64 connections to db-main in use
2025-03-04 09:12:09 ERROR checkout-7f9c: timeout after 5000 ms waiting for a connection
2025-03-04 09:12:31 ERROR checkout-7f9c: timeout after 5000 ms waiting for a connection
ana: I see the checkout service timing out since about 09:12. Orders are failing for all customers in Europe.
ben: The deploy of release 4.18.2 went out at 09:05. It added a query per line item, I think, in OrderRepository.load_items.
ana: That would explain the pool. Shall we roll back or raise the pool size?
ben: Roll back first. Raising the pool only moves the problem to db-main, it is at 91% CPU already.
ana: Agreed. Rolling back to 4.18.1 now. Started at 09:31.
ben: Done at 09:38, error rate is back to normal. I will write a test that counts queries before we ship 4.18.3.
ana: And I will refund the 212 orders that were charged twice. Open question: why did the canary not catch it?";

const TREFFEN: &str = "\
Frau Krüger: Wir müssen heute über das Budget für den Umbau der Bibliothek entscheiden. Es sind noch 48.000 Euro übrig.
Herr Yilmaz: Die Heizung im Lesesaal ist das dringendste, das Angebot der Firma Lohmann liegt bei 31.500 Euro.
Frau Krüger: Und die neuen Regale? Die sollten doch auch in diesem Jahr kommen.
Herr Yilmaz: Die Regale können bis März warten. Ohne Heizung müssen wir den Lesesaal im Winter schließen.
Frau Krüger: Gut, dann beauftragen wir Lohmann. Ich möchte aber, dass die Arbeiten vor dem 15. November fertig sind.
Herr Yilmaz: Das haben sie zugesagt. Ich schicke den Vertrag bis Freitag und frage nach einem Nachlass.
Frau Krüger: Und bitte klären Sie, ob die Stadt einen Zuschuss für die Dämmung zahlt.";

const ZHUANYI: &str = "\
用户：我们的网站昨天晚上从旧服务器迁移到新服务器，之后用户上传的图片全部无法显示。
助手：请检查存储桶的访问权限。旧服务器使用公开读取，新服务器默认是私有的。
用户：确实是私有的。但是客户资料也放在同一个存储桶里，不能全部公开。
助手：可以把图片放到单独的存储桶里，只公开图片，客户资料保持私有。
用户：好的，图片大约有三千张，今天晚上十点以后迁移，白天不能停机。
助手：明白，我会先准备迁移脚本，晚上十点开始执行，完成以后再检查图片是否能够显示。";

const CODE: &str = "\
user: The loader in src/config/load.rs panics when the file is empty. Please look at it.
assistant calls read_file {\"path\": \"src/config/load.rs\"}
tool: pub fn load(path: &Path) -> Result<Config, LoadError> {
    let text = fs::read_to_string(path)?;
    let first = text.lines().next().unwrap();
    if !first.starts_with(\"version\") { return Err(LoadError::NoVersion); }
    toml::from_str(&text).map_err(LoadError::Parse)
}
assistant: `unwrap` on the first line panics for an empty file. I would return LoadError::NoVersion there as well.
user: Good, but keep the signature as it is, and add a test for the empty file and for one with only blank lines.
assistant calls edit_file {\"path\": \"src/config/load.rs\"}
tool: edited
assistant calls run {\"command\": \"cargo test config\"}
tool: test result: FAILED. 11 passed; 1 failed: config::tests::only_blank_lines
assistant: The test for blank lines fails, because lines().next() gives an empty line. I will skip blank lines first.";

const GOOD: [(&str, &str); 20] = [
    (
        BOOKING,
        "goal: move reservation NO6JO3 to HAT083 on May 24\nconstraints: two checked bags stay; wedding on the 25th\nstate: basic economy cannot be changed, so upgrade to economy for $152 and $38 more, $190 in all to card 4421; the user confirmed\nopen: carry it out",
    ),
    (
        BOOKING,
        "Mia (mia_li_3668) wants her Boston to Seattle flight moved from May 20 to May 24. Her basic economy ticket does not allow changes, so she agreed to buy the upgrade and pay $190 altogether.",
    ),
    (
        BOOKING,
        "**Goal:** Change reservation NO6JO3 to flight HAT083 (May 24, 13:15).\n**Decisions:** Upgrade to economy; insurance does not help, as it covers health reasons only.\n**Open:** Charge the card ending in 4421 with $190.",
    ),
    (
        BOOKING,
        "I told the user that basic economy tickets can't be changed. They confirmed the upgrade and flight HAT083 on May 24 for $190, keeping both checked bags.",
    ),
    (
        INCIDENT,
        "Checkout timed out from 09:12 because all 64 connections to db-main were in use. Release 4.18.2 added a query per line item. Rolling back to 4.18.1 fixed it at 09:38.",
    ),
    (
        INCIDENT,
        "goal: get checkout working again\ndecisions: roll back first; raising the pool only moves the problem to db-main, which is at 91% CPU\nstate: rolled back to 4.18.1, error rate normal\nidentifiers: OrderRepository.load_items, 4.18.2, 4.18.3\nopen: test that counts queries (ben), 212 refunds (ana), why the canary missed it",
    ),
    (
        INCIDENT,
        "- Orders failed for customers in Europe on 4 March 2025.\n- Ben suspects the query per line item in `OrderRepository.load_items`.\n- The rollback took from 09:31 to 09:38.\n- Ana refunds the 212 orders charged twice.",
    ),
    (
        INCIDENT,
        "The deploy at 09:05 exhausted the connection pool; \"Roll back first\" was the decision, and the error rate is normal again. It stays open why the canary did not catch it.",
    ),
    (
        TREFFEN,
        "Die Heizung im Lesesaal wird für 31.500 Euro von der Firma Lohmann erneuert, die Arbeiten sollen vor dem 15. November fertig sein. Die Regale warten bis März.",
    ),
    (
        TREFFEN,
        "goal: Umbau der Bibliothek, 48.000 Euro übrig\ndecisions: Lohmann beauftragen, Regale erst im März\nopen: Vertrag bis Freitag, Nachlass, Zuschuss der Stadt für die Dämmung",
    ),
    (
        TREFFEN,
        "Frau Krüger und Herr Yilmaz haben entschieden, zuerst die Heizung zu beauftragen, weil der Lesesaal sonst im Winter geschlossen werden müsste. Herr Yilmaz schickt den Vertrag bis Freitag.",
    ),
    (
        TREFFEN,
        "Von 48.000 Euro gehen 31.500 Euro an Lohmann für die Heizung. Offen ist, ob die Stadt die Dämmung bezuschusst.",
    ),
    (
        ZHUANYI,
        "网站迁移到新服务器以后图片无法显示，因为存储桶默认是私有的。决定把图片放到单独的存储桶里公开，客户资料保持私有，今天晚上十点以后迁移。",
    ),
    (
        ZHUANYI,
        "目标：让用户上传的图片重新显示。\n限制：白天不能停机，客户资料不能公开。\n下一步：准备迁移脚本，晚上十点执行，完成后检查图片。",
    ),
    (ZHUANYI, "大约三千张图片要放到单独的存储桶里，只公开图片。"),
    (ZHUANYI, "原因是新服务器的存储桶是私有的；助手会先准备脚本，晚上十点开始迁移图片。"),
    (
        CODE,
        "goal: `load` in src/config/load.rs must not panic on an empty file\nconstraints: keep the signature\nstate: returns LoadError::NoVersion now; 11 tests pass, config::tests::only_blank_lines fails\nopen: skip blank lines first",
    ),
    (
        CODE,
        "The loader panicked because of `unwrap` on the first line of an empty file. It was edited, and the test for blank lines still fails since lines().next() gives an empty line.",
    ),
    (
        CODE,
        "pub fn load(path: &Path) -> Result<Config, LoadError> was changed to return NoVersion for an empty file; tests for empty and blank files were added, one of which fails",
    ),
    (
        CODE,
        "The user asked for a fix of the panic in load.rs with an unchanged signature and two tests. One test fails so far: only_blank_lines.",
    ),
];

/// The name of the reason, as data.
fn kind(unfit: &Unfit) -> &'static str {
    match unfit {
        Unfit::CutOff => "cut off",
        Unfit::Unfinished { .. } => "unfinished",
        Unfit::Refused { .. } => "refused",
        Unfit::Repeated { .. } => "repeated",
        Unfit::Number { .. } => "number",
        Unfit::Name { .. } => "name",
        Unfit::Quote { .. } => "quote",
        Unfit::Unrelated { .. } => "unrelated",
        Unfit::TooShort { .. } => "too short",
        Unfit::Language { .. } => "language",
        Unfit::Far { .. } => "far",
        _ => "other",
    }
}

const BAD: [(&str, &str, &str); 20] = [
    (BOOKING, "refused", "I'm sorry, but I can't help with that request."),
    (
        BOOKING,
        "number",
        "The user wants reservation NO6JO3 moved to May 24. The upgrade costs $475 in all and the card that ends in 4421 is charged.",
    ),
    (
        BOOKING,
        "name",
        "The user wants flight HAT083 on May 24 from Boston to Chicago, and pays $190 with the card that ends in 4421.",
    ),
    (
        BOOKING,
        "quote",
        "The user wants flight HAT083 on May 24 and said \"charge whatever card is on file\" when asked about the $190.",
    ),
    (
        BOOKING,
        "repeated",
        "The user wants to change the flight. The user wants to change the flight. The user wants to change the flight. The user wants to change the flight.",
    ),
    (
        BOOKING,
        "unrelated",
        "The customer was very happy with the excellent service and praised the friendly team for its quick answers and great patience throughout.",
    ),
    (
        INCIDENT,
        "refused",
        "As an AI language model, I am unable to summarize internal logs, since they may contain confidential information about your company.",
    ),
    (
        INCIDENT,
        "unfinished",
        "Checkout timed out from 09:12 because all connections to db-main were in use. Release 4.18.2 added a query per line item. The rollback to 4.18.1 was started because the",
    ),
    (
        INCIDENT,
        "name",
        "Release 4.18.2 exhausted the pool in PaymentGateway9x.charge_all, and the rollback to 4.18.1 fixed the error rate at 09:38.",
    ),
    (
        INCIDENT,
        "number",
        "Release 4.18.2 exhausted the pool of 64 connections. The rollback fixed it at 09:38, and 3,480 orders are refunded.",
    ),
    (
        INCIDENT,
        "language",
        "El servicio de pago falló porque todas las conexiones a db-main estaban en uso. La versión 4.18.2 fue la causa y se volvió a la 4.18.1.",
    ),
    (INCIDENT, "too short", "Done: 4.18.1."),
    (
        TREFFEN,
        "language",
        "The heating in the reading room will be renewed by Lohmann for 31,500 euros, and the work should be done before November 15. The shelves can wait until March.",
    ),
    (TREFFEN, "refused", "Es tut mir leid, aber bei dieser Anfrage kann ich leider nicht weiterhelfen."),
    (
        TREFFEN,
        "number",
        "Die Heizung im Lesesaal wird für 75.300 Euro von der Firma Lohmann erneuert, die Regale warten bis März.",
    ),
    (
        ZHUANYI,
        "language",
        "After the move to the new server the images could not be shown because the bucket is private. They will be moved at ten in the evening.",
    ),
    (ZHUANYI, "refused", "很抱歉，我无法处理这个请求。如果您有其他问题，请随时告诉我。"),
    (
        CODE,
        "unrelated",
        "Photosynthesis converts sunlight into chemical energy that plants use to grow, and oxygen is released along the way.",
    ),
    (
        CODE,
        "quote",
        "The loader panics for an empty file, and the user said \"do not touch any other module in this crate\" about the signature.",
    ),
    (
        CODE,
        "repeated",
        "the test fails the test fails the test fails the test fails the test fails the test fails",
    ),
];

#[test]
fn twenty_answers_that_stand_for_their_source() {
    let judge = Judge::new();
    let refused: Vec<String> = GOOD
        .iter()
        .filter_map(|(source, answer)| {
            judge.check(source, answer, Tokens::new(120)).err().map(|why| format!("{why}: {answer}"))
        })
        .collect();
    assert!(refused.is_empty(), "{} of 20 good answers are refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn twenty_answers_that_do_not() {
    let judge = Judge::new();
    let wrong: Vec<String> = BAD
        .iter()
        .filter_map(|(source, expect, answer)| {
            let found = judge.check(source, answer, Tokens::new(120));
            let found = found.as_ref().map_or_else(kind, |()| "fit");
            (found != *expect).then(|| format!("{found} and not {expect}: {answer}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of 20 bad answers are judged wrongly:\n{}", wrong.len(), wrong.join("\n"));
}
