//! Portuguese.

use contextfit_text::Tongue;

use super::{
    Cue::{Correction, Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition, Reminder},
    Mark::{Address, Contrast, Cue, Emphasis, Idiom, Imagined, Reported, Request, Scope, Told},
    Row, Table,
};

pub(super) const TABLE: Table = Table {
    tongue: Some(Tongue::Portuguese),
    openers: "por favor e mas então ok sim não também além importante nota atenção agora bom lembre",
    joints: "e mas ou então",
    subjects: "eu ele ela nós eles elas",
    rows: &[ROWS],
    topical: &[],
};

const ROWS: &[Row] = &[
    (
        Cue(Prohibition, 0.6),
        "^ nunca|jamais; não .. nunca|jamais; não deve|devem|pode|podem .. nunca; em hipótese alguma; em \
         nenhuma circunstância; sob nenhuma circunstância; de forma|maneira nenhuma|alguma; em nenhum caso; \
         é|são|está|estão proibido|proibida|proibidos|proibidas; proibido",
    ),
    (
        Cue(Prohibition, 0.5),
        "^ evite|evita|evitar; ^ pare|para de; ^ não \
         use|uses|utilize|escreva|escrevas|inclua|mencione|envie|coloque|faça|apague|toque|compartilhe|reserve|diga|adicione|responda|altere; \
         sem exceção|exceções; não deve|devem|pode|podem; ^ nada de; não quero que; ^ nenhum|nenhuma; \
         deixe|deixa de",
    ),
    (
        Cue(Permanence, 0.6),
        "a partir de agora|hoje|amanhã; de agora|hoje em diante; daqui para|pra frente; daqui em diante; \
         doravante; no futuro; pelo resto; até novo|segunda aviso|ordem; ^ sempre; \
         responda|use|utilize|escreva|coloque|inclua|deve|devem sempre; toda vez que; sempre que; cada vez \
         que; por padrão; em todas|todos ?as|os ?suas|seus respostas|mensagens|relatórios; como regra",
    ),
    (Cue(Permanence, 0.3), "sempre; toda vez; cada vez; constantemente; o tempo todo"),
    (
        Cue(Obligation, 0.5),
        "você deve|precisa; tens de|que; deves; deve|devem \
         ser|estar|ter|conter|incluir|ficar|caber|chegar|sair|ir; certifique|assegure se; garanta|garante \
         que; é obrigatório|importante|essencial|necessário|imprescindível; tem que|de ser|estar|ter; é \
         preciso; não esqueça|esqueças|se",
    ),
    (Cue(Obligation, 0.3), "deve; devem; tem|têm que|de; somente; apenas; só; unicamente"),
    (
        Cue(Limit, 0.5),
        "no máximo; não mais de|que|do; máximo .. <num>; orçamento .. <num>; até .. <day>; o mais tardar; \
         prazo; data limite; antes de|do .. <day>; não .. \
         ultrapassar|ultrapasse|exceder|exceda|passar|passe|gastar; menos de <num>; limite .. <num>; vence; \
         teto",
    ),
    (
        Cue(Preference, 0.6),
        "prefiro; preferiria; eu preferia; gosto mais de; me chame|chama|chamem; chame me; chama me; sou \
         ?também \
         vegetariano|vegetariana|vegano|vegana|alérgico|alérgica|celíaco|celíaca|daltônico|intolerante; \
         alérgico|alérgica a|ao; não como|bebo; só|apenas quero|preciso; quero só|apenas|somente; meu nome é; \
         minha preferência",
    ),
    (Cue(Preference, 0.4), "se possível; em vez de; ao invés; quero; gostaria"),
    (
        Cue(Reminder, 0.6),
        "lembre|lembra ?se ?te ?que ?de; tenha|tem em mente|conta; não esqueça|esqueças|se; não se esqueça; \
         tome|toma nota; anote|anota; para constar; ^ importante:; ^ nota:; ^ atenção:; leve|leva em conta; \
         para sua|tua informação",
    ),
    (
        Cue(Decision, 0.6),
        "decidimos; ficou decidido|combinado|acordado; escolhemos; combinamos; vamos \
         usar|utilizar|ficar|com|fazer; usaremos; utilizaremos; optamos; está decidido|combinado; decidi; \
         decisão:; combinado:; nós decidimos; ficamos com",
    ),
    (
        Cue(Correction, 0.6),
        "correção; quis|queria dizer; me enganei; enganei me; mude|muda|troque|troca|altere .. para|por; \
         substitua .. por; esqueça|esquece o|a|isso|que; não .. mais; já não; agora é|são; é|são agora; na \
         verdade; não .. mas|sim; foi adiado|adiada|alterado|alterada|mudado|aumentado|movido|movida; \
         mudou|passou para; novo|nova orçamento|data|prazo|endereço; em vez de; ao invés",
    ),
    (Contrast, "agora; aliás; ^ não"),
    (
        Cue(Manner, 0.4),
        "^ responda|responde; ^ escreva|escreve; ^ use|usa|utilize|utiliza; ^ fale|fala; ^ mantenha|mantém; ^ \
         coloque|põe|ponha; ^ inclua|inclui; ^ limite; ^ cite; ^ traduza; ^ dê|dá; ^ adicione; ^ \
         só|apenas|somente; ^ pergunte",
    ),
    (Address, "por favor; você; seus; suas; teus; tuas; te"),
    (
        Scope,
        "todos; todas; todo; toda; tudo; cada; só; apenas; somente; nunca; sempre; qualquer; nenhum; nenhuma",
    ),
    (Emphasis, "^ importante; ^ atenção; muito importante; absolutamente; imprescindível"),
    (
        Idiom,
        "eu|ele|ela|nós nunca|sempre|jamais; sempre fui|foi|quis|tive|gostei|me|há; nunca \
         fui|foi|tive|vi|ouvi|soube|mais vi|é; quase nunca|sempre; como sempre; antes tarde; não só|apenas; \
         para|pra sempre; tenho que|de; nada de mais; não sei|posso|acho|quero|tenho|há|é; só que",
    ),
    (Imagined, "^ se eu tivesse|fosse|pudesse; teria; seria; talvez; acho|penso|espero que; tomara"),
    (
        Reported,
        "ele|ela|mãe|pai|chefe ?me ?sempre disse|dizia|diz; segundo; me disse|disseram; disse que; dizia que",
    ),
    (
        Told,
        "ontem; quando eu era; fui; era; eram; havia; estava; tinha; no ano passado; na semana passada; anos \
         atrás; há anos|meses",
    ),
    (Request, "por favor; você pode|poderia; podes; poderia; pode"),
];
