//! Spanish.

use contextfit_text::Tongue;

use super::{
    Cue::{Correction, Decision, Limit, Manner, Obligation, Permanence, Preference, Prohibition, Reminder},
    Mark::{Address, Contrast, Cue, Emphasis, Idiom, Imagined, Reported, Request, Scope, Told},
    Row, Table,
};

pub(super) const TABLE: Table = Table {
    tongue: Some(Tongue::Spanish),
    openers: "por favor y pero entonces ok sí no también además importante nota atención ahora bueno vale recuerda",
    joints: "y pero o entonces",
    subjects: "yo él ella nosotros ellos ellas",
    rows: &[ROWS],
    topical: &[],
};

const ROWS: &[Row] = &[
    (
        Cue(Prohibition, 0.6),
        "^ nunca|jamás; no .. nunca|jamás; no debe|deben|debes|puede|pueden|puedes .. nunca; bajo ninguna \
         circunstancia; en ningún caso; de ninguna manera; está|están \
         prohibido|prohibida|prohibidos|prohibidas|descartado; queda|quedan prohibido|prohibida|prohibidos; \
         prohibido",
    ),
    (
        Cue(Prohibition, 0.5),
        "^ evita|evite|evitar; ^ deja|deje de; ^ no \
         uses|use|utilices|utilice|escribas|escriba|incluyas|incluya|menciones|mencione|envíes|envíe|pongas|ponga|hagas|haga|borres|borre|toques|toque|reserves|compartas|comparta|digas|diga|añadas; \
         sin excepción|excepciones; no debe|deben|debes|puede|pueden|puedes; ^ nada de; no quiero que; ^ \
         ningún|ninguna",
    ),
    (
        Cue(Permanence, 0.6),
        "a partir de ahora|hoy|mañana; de ahora|aquí|hoy en adelante; en adelante; en lo sucesivo; en el \
         futuro; durante|para el resto; hasta nuevo aviso; ^ siempre; \
         responde|responda|usa|use|utiliza|escribe|escriba|pon|ponga|incluye|incluya|añade|debes|debe|deben \
         siempre; cada vez que; siempre que; por defecto; en todas|todos ?las|los|tus|sus \
         respuestas|mensajes|informes|correos; como regla|norma",
    ),
    (Cue(Permanence, 0.3), "siempre; cada vez; todo el tiempo; constantemente"),
    (
        Cue(Obligation, 0.5),
        "debes; tienes que; debe|deben ser|estar|tener|incluir|llevar|caber|quedar|llegar|salir|ir|contener; \
         asegúrate|asegúrese; es obligatorio|imprescindible|importante|esencial|necesario; hay que; no \
         olvides|olvide; procura|procure",
    ),
    (Cue(Obligation, 0.3), "debe; deben; tiene|tienen que; solo; sólo; únicamente; solamente"),
    (
        Cue(Limit, 0.5),
        "como máximo|mucho; no más de|que|tarde; máximo .. <num>; presupuesto .. <num>; a más tardar; fecha \
         límite; plazo; antes del|de .. <day>; para el \
         lunes|martes|miércoles|jueves|viernes|sábado|domingo|<num>; no .. \
         supere|superar|pase|exceda|exceder|gastar; menos de <num>; límite .. <num>; vence; hasta <num>; tope",
    ),
    (
        Cue(Preference, 0.6),
        "prefiero; preferiría; me gusta|gustan más; llámame; llámeme; soy ?también \
         vegetariano|vegetariana|vegano|vegana|alérgico|alérgica|celíaco|celíaca|daltónico|intolerante; \
         alérgico|alérgica a|al; no como|bebo; solo|sólo quiero|necesito|vuelo; quiero solo|sólo|que \
         ?siempre|nunca; me llamo; mi preferencia",
    ),
    (Cue(Preference, 0.4), "si es posible; en lugar|vez de; quiero; me gustaría; mejor"),
    (
        Cue(Reminder, 0.6),
        "recuerda|recuerde ?que; ten|tenga en cuenta|mente|presente; no olvides|olvide|te; \
         acuérdate|acuérdese; para que conste; que conste; toma|tome nota; anota|anote; ^ importante:; ^ \
         nota:; ^ atención:; para tu información",
    ),
    (
        Cue(Decision, 0.6),
        "hemos|he ?finalmente decidido|acordado|elegido|optado; decidimos; acordamos; elegimos; está \
         decidido|acordado; vamos a usar|utilizar|hacer|ir; usaremos; utilizaremos; nos quedamos con; vamos \
         con; decisión:; acordado:; quedamos en",
    ),
    (
        Cue(Correction, 0.6),
        "corrección; quise|quería decir; me equivoqué; cambia|cambie .. a|por; sustituye|reemplaza .. \
         por|con; olvida|olvide lo|la|el|que|eso; ya no; ahora es|son; es|son ahora; mejor .. que; en \
         realidad; no .. sino; se ha|ha sido movido|cambiado|aplazado|pospuesto|aumentado|subido|bajado; \
         pasa|pasó|cambió a|al; nuevo|nueva presupuesto|fecha|plazo|dirección; en vez|lugar de",
    ),
    (Contrast, "ahora; ^ no; finalmente"),
    (
        Cue(Manner, 0.4),
        "^ responde|responda|contesta|conteste; ^ escribe|escriba; ^ usa|use|utiliza|utilice; ^ habla|hable; \
         ^ mantén|mantenga; ^ pon|ponga; ^ incluye|incluya; ^ limita|limite; ^ cita; ^ traduce; ^ da|dame; ^ \
         añade; ^ solo|sólo; ^ pregunta|pregúntame",
    ),
    (Address, "por favor; tú; tus; usted; te"),
    (Scope, "todos; todas; todo; toda; cada; solo; sólo; nunca; siempre; cualquier; ningún; ninguna"),
    (Emphasis, "^ importante; ^ atención; muy importante; absolutamente; imprescindible"),
    (
        Idiom,
        "yo|él|ella|nosotros nunca|siempre|jamás; siempre he|ha|hemos|me|fue|quise|hay; nunca \
         he|ha|hemos|había|me|fue|vi|supe|es; casi nunca|siempre; como siempre; más vale tarde; lo siento; no \
         solo|sólo; no sé|puedo|creo|quiero|me|hay|tengo|es; para siempre; por siempre; nada de eso; tengo \
         que",
    ),
    (Imagined, "^ si tuviera|fuera|pudiera; habría; sería; tal vez; quizás; creo|pienso|espero que; ojalá"),
    (
        Reported,
        "él|ella|mi|madre|padre|jefe ?me ?siempre dijo|decía|dice; según; me dijo|dijeron|contó; dijo que; \
         decía que",
    ),
    (
        Told,
        "ayer; antes era; cuando era; fui; fue; era; eran; había; estaba; tuve; el año|mes|verano pasado; la \
         semana pasada; hace años|meses",
    ),
    (Request, "por favor; puedes; podrías; puede usted; podría"),
];
