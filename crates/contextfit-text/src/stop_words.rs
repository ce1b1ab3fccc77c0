//! Words that say nothing about the subject of a text, for each language.

use crate::NaturalLanguage;

/// The stop words of `natural_language`, in lowercase: articles, pronouns, prepositions, auxiliaries, question words.
/// The lists are short on purpose: one word too many can make a query unanswerable, one too few costs next to nothing.
pub(crate) const fn stop_words(natural_language: NaturalLanguage) -> &'static str {
    match natural_language {
        NaturalLanguage::English => {
            "a about an and any are as at be been being but by can could did do does doing for from had has have he her \
             here him his how i if in into is it its me my no not of on or our s she should so some such t than that the \
             their them then there these they this those to was we were what when where which who whom whose why will \
             with would you your"
        }
        NaturalLanguage::German => {
            "aber als am an auch auf aus bei bin bis das dass dem den der des die dies diese dieser doch du durch ein eine \
             einem einen einer eines er es für haben hat hatte ich ihm ihn ihr ihre im in ist ja kann man mit nach nicht \
             noch nur oder sein seine sich sie sind so um und uns vom von vor war waren warum was welche welcher welches \
             wenn wer werden wie wieder wir wird wo wurde wurden zu zum zur über"
        }
        NaturalLanguage::French => {
            "a au aux avec c ce ces cette comment d dans de des du elle elles en est et eu il ils j je l la le les leur \
             leurs lui m mais n ne nous on ont ou où par pas pour pourquoi qu quand que quel quelle quelles quels qui quoi \
             s sa se ses si son sont sur t un une vous y à été être"
        }
        NaturalLanguage::Spanish => {
            "a al como con cual cuando cuál cuáles cuándo cómo de del desde donde dónde e el ella ellos en entre era es \
             esta este esto fue ha han la las le les lo los más mi muy no o para pero por porque qué que quien quién se \
             ser si sin sobre son su sus también tu un una uno y ya"
        }
        NaturalLanguage::Italian => {
            "a ai al alla alle anche c che chi ci come con cosa cui da dal dalla dei del della delle di dove e ed era è fu \
             gli ha hanno i il in io l la le lo loro ma nel nella nelle non o per perché più qual quale quali quando \
             quanto se si sono su sua sul sulla suo tra un una uno"
        }
        NaturalLanguage::Portuguese => {
            "a ao aos as com como da das de do dos e ela ele eles em entre era essa esse esta este eu foi foram há isso já \
             mais mas na nas no nos não o onde os ou para pela pelo por porque qual quais quando que quem se sem ser seu \
             seus sua suas são também um uma você à é"
        }
        NaturalLanguage::Dutch => {
            "aan als bij dan dat de der deze die dit door een en er had heb heeft het hij hoe hun ik in is ja je kan maar \
             me met mijn naar niet nog of om ook op over te tot uit van veel voor waar waarom wanneer want was wat we wel \
             welk welke werd wie wij wordt zal ze zich zij zijn zo"
        }
        NaturalLanguage::Swedish => {
            "att av blev de dem den denna det detta dig din du där eller en er ett från för ha hade han har hon honom hur \
             hur i inte jag kan man med men mig min när och om på sig sin som till upp ut vad var varför vem vi vid vilka \
             vilken vilket än är"
        }
        NaturalLanguage::Danish => {
            "af at blev da de dem den denne der det dette dig din du eller en er et fra for ha havde han har hun hvad hvem \
             hvilken hvilket hvor hvordan hvorfor hvornår i ikke jeg kan man med men mig min når og om op på sig sin som \
             til ud var ved vi"
        }
        NaturalLanguage::Norwegian => {
            "av ble da de dem den denne der det dette deg din du eller en er et fra for ha hadde han har hun hva hvem \
             hvilken hvilket hvor hvordan hvorfor i ikke jeg kan man med men meg min når og om opp på seg sin som til ut \
             var ved vi"
        }
        NaturalLanguage::Russian => {
            "а без был была были было быть в вам вас во все вы где для до его ее если есть ещё еще же за и из или им их к \
             как какая какие какой ко когда кто ли мне мы на не него нее нет но о об он она они от по под почему при с со \
             так также то только ты у уже чего чем что чтобы эта эти это этот я"
        }
        NaturalLanguage::Turkish => {
            "bir bu da de daha den dir en gibi hangi için ile ise kadar kim mi mı mu ne neden nasıl nerede o olan olarak \
             onun şu ve veya ya"
        }
        NaturalLanguage::Polish => {
            "a ale są być był była było były bez co czy dla do gdzie go i ich ile jak jaka jaki jakie jako jego jej jest \
             już kiedy kto która które który lub ma na nad nie o od oraz po pod przez przy się ta tak tego ten to tym w \
             we z za ze że"
        }
        NaturalLanguage::Arabic => {
            "أن إلى التي الذي الى ان أو او أين بين ثم ذلك عن على عند في قد كان كانت كل كم كيف لا لم لماذا ما متى من منذ \
             هذا هذه هل هو هي و يا"
        }
    }
}
