//! Other languages: a table of cues for each.

use super::cues::{
    Class::{Always, Limit, Must, Name, Never, Note, Order, Wish},
    Mark::{self, Changed, Cue, General, Idiom},
};

pub(super) const ROWS: &[(Mark, &str)] = &[
    // German.
    (
        Cue(Always, 0.85),
        "^ immer; ab jetzt; ab sofort; von nun an; von jetzt an; künftig; in zukunft; jedes mal wenn; bis auf weiteres; grundsätzlich; du sollst immer; sie sollen immer",
    ),
    (
        Cue(Never, 0.8),
        "^ nie; ^ niemals; auf keinen fall; unter keinen umständen; ^ keine; ^ kein; ^ vermeide; ^ vermeiden; darf nicht; dürfen nicht; darfst nicht; darf nie; bitte nicht; bitte nie; bitte keine; bitte niemals; ohne ausnahme; ^ nicht mehr",
    ),
    (
        Cue(Must, 0.7),
        "muss immer; müssen immer; muss auf; muss bis; müssen in; müssen bis; stelle sicher; stellen sie sicher; achte darauf; achten sie darauf; frag mich; frage mich; fragen sie mich; muss vor",
    ),
    (
        Cue(Limit, 0.7),
        "höchstens; maximal; nicht mehr als; nicht länger als; spätestens; mein budget; unser budget",
    ),
    (
        Cue(Wish, 0.8),
        "ich bin allergisch; ich bin vegetarier; ich bin vegetarierin; ich bin veganer; ich bevorzuge; ich möchte nur; ich möchte keine; ich esse kein; ich esse keine; mir ist wichtig",
    ),
    (Cue(Name, 0.8), "^ nenn mich; ^ nenne mich; nennen sie mich"),
    (
        Cue(Note, 0.75),
        "^ merk dir; ^ merke dir; ^ denk daran; ^ denk dran; ^ beachte; ^ beachten sie; ^ vergiss nicht; ^ wichtig",
    ),
    (
        Cue(Order, 0.6),
        "^ antworte; ^ antworten sie; ^ schreib; ^ schreibe; ^ verwende; ^ benutze; ^ nutze; ^ gib; ^ halte; ^ nimm; ^ formuliere; ^ unterschreibe; ^ runde; ^ verwenden sie; ^ halten sie; ^ benutzen sie",
    ),
    (
        Idiom,
        "immer noch; ^ immer wieder; ^ keine ahnung; ^ kein problem; ^ keine sorge; ^ keine zeit; ^ kein wunder; ^ keine frage; ^ nie wieder ich; gib nicht auf; ich habe nie; halte durch; ^ keine angst; ^ nie im leben",
    ),
    // French.
    (
        Cue(Always, 0.85),
        "^ toujours; désormais; dorénavant; à partir de maintenant; à l avenir; chaque fois que; à chaque fois; par défaut; jusqu à nouvel ordre",
    ),
    (
        Cue(Never, 0.8),
        "^ jamais; ^ ne; en aucun cas; ^ évite; ^ évitez; ^ n utilise; ^ n utilisez; ^ pas de; ^ arrête; ^ arrêtez; ne doit pas; ne doit jamais; ne doivent pas; il ne faut pas; il ne faut jamais",
    ),
    (
        Cue(Must, 0.7),
        "doit être; doivent être; il faut toujours; assure toi; assurez vous; veille à; veillez à; demande moi avant; demandez moi avant",
    ),
    (Cue(Limit, 0.7), "au maximum; au plus; pas plus de; au plus tard; mon budget; notre budget"),
    (
        Cue(Wish, 0.8),
        "je suis allergique; je suis végétarien; je suis végétarienne; je préfère; je ne mange pas; je ne veux pas que; je veux que tu; je veux que vous",
    ),
    (Cue(Name, 0.8), "^ appelle moi; ^ appelez moi"),
    (
        Cue(Note, 0.75),
        "^ souviens toi; ^ souvenez vous; ^ rappelle toi; ^ n oublie pas; ^ n oubliez pas; ^ note que; ^ notez que; ^ important",
    ),
    (
        Cue(Order, 0.6),
        "^ réponds; ^ répondez; ^ utilise; ^ utilisez; ^ écris; ^ écrivez; ^ garde; ^ gardez; ^ donne; ^ donnez; ^ indique; ^ indiquez; ^ mets; ^ mettez; ^ signe; ^ signez",
    ),
    (
        Idiom,
        "^ ne t inquiète pas; ^ ne vous inquiétez pas; ^ pas de problème; ^ pas de souci; ^ pas de soucis; ^ jamais de la vie; ^ ne t en fais pas; ^ jamais vu; ^ toujours pas; donne moi des nouvelles",
    ),
    // Spanish.
    (
        Cue(Always, 0.85),
        "^ siempre; de ahora en adelante; a partir de ahora; en adelante; cada vez que; por defecto; hasta nuevo aviso",
    ),
    (
        Cue(Never, 0.8),
        "^ nunca; ^ jamás; bajo ninguna circunstancia; en ningún caso; ^ evita; ^ evite; ^ no uses; ^ no use; ^ no menciones; ^ no mencione; ^ no toques; ^ no incluyas; ^ no pongas; ^ no hagas; ^ no escribas; ^ no borres; no debe; no deben; ^ deja de",
    ),
    (
        Cue(Must, 0.7),
        "debe ser; deben ser; debe estar; deben estar; tiene que ser; tienen que ser; ^ asegúrate; ^ asegúrese; ^ pregúntame antes; ^ procura",
    ),
    (Cue(Limit, 0.7), "como máximo; no más de; a más tardar; mi presupuesto; nuestro presupuesto"),
    (
        Cue(Wish, 0.8),
        "soy alérgico; soy alérgica; soy vegetariano; soy vegetariana; prefiero; no como; quiero que",
    ),
    (Cue(Name, 0.8), "^ llámame; ^ llámeme"),
    (
        Cue(Note, 0.75),
        "^ recuerda; ^ recuerde; ^ ten en cuenta; ^ tenga en cuenta; ^ no olvides; ^ no olvide; ^ importante",
    ),
    (
        Cue(Order, 0.6),
        "^ responde; ^ responda; ^ contesta; ^ usa; ^ utiliza; ^ utilice; ^ escribe; ^ escriba; ^ mantén; ^ mantenga; ^ pon; ^ firma; ^ redondea; ^ incluye",
    ),
    (
        Idiom,
        "^ nunca he; ^ siempre he; ^ nunca había; ^ nunca se sabe; ^ nunca mejor; ^ no olvides llamar; no como tú; ^ no hagas caso",
    ),
    // Portuguese.
    (
        Cue(Always, 0.85),
        "^ sempre; de agora em diante; a partir de agora; daqui em diante; daqui para a frente; toda vez que; sempre que; por padrão",
    ),
    (
        Cue(Never, 0.8),
        "^ nunca mencione; ^ nunca use; ^ não; em hipótese alguma; de forma alguma; ^ evite usar; ^ pare de; não deve; não devem; não pode ser",
    ),
    (
        Cue(Must, 0.7),
        "deve ser; devem ser; deve estar; devem estar; tem que ser; tem de ser; ^ certifique se; ^ garanta; ^ pergunte me antes; ^ me pergunte antes",
    ),
    (Cue(Limit, 0.7), "no máximo; não mais de; não mais que; o mais tardar; meu orçamento; nosso orçamento"),
    (Cue(Wish, 0.8), "sou alérgico; sou alérgica; sou vegetariano; eu prefiro; prefiro; não como; quero que"),
    (Cue(Name, 0.8), "^ me chame; ^ chame me; ^ chama me"),
    (Cue(Note, 0.75), "^ lembre se; ^ lembra te; ^ tenha em mente; ^ não esqueça; ^ não se esqueça"),
    (
        Cue(Order, 0.6),
        "^ responda; ^ escreva; ^ mantenha; ^ utilize; ^ coloque; ^ assine; ^ inclua; ^ arredonde",
    ),
    (
        Idiom,
        "^ não sei; ^ não é; ^ não foi; ^ não se preocupe; ^ não acho; ^ não há; ^ não tem; ^ não posso; ^ não consigo; ^ não li; ^ não fui; ^ não vi; ^ não estou; ^ não tenho; ^ não gosto; ^ não quero; ^ não vou; ^ não entendo; ^ não acredito; ^ não ^; ^ sempre quis; ^ não precisa",
    ),
    // Italian.
    (
        Cue(Always, 0.85),
        "d ora in poi; da ora in poi; da adesso in poi; ogni volta che; fino a nuovo avviso; di norma",
    ),
    (
        Cue(Never, 0.8),
        "^ mai; ^ non usare; ^ non menzionare; ^ non toccare; ^ non mettere; ^ non scrivere; ^ non cancellare; ^ non includere; ^ non fare; in nessun caso; ^ evita di; ^ evitare; ^ smetti di; non deve; non devono; ^ niente",
    ),
    (Cue(Must, 0.7), "deve essere; devono essere; deve avere; ^ assicurati; ^ si assicuri; ^ chiedimi prima"),
    (Cue(Limit, 0.7), "al massimo; non più di; al più tardi; il mio budget; il nostro budget"),
    (
        Cue(Wish, 0.8),
        "sono allergico; sono allergica; sono vegetariano; sono vegetariana; preferisco; non mangio; voglio che",
    ),
    (Cue(Name, 0.8), "^ chiamami; ^ mi chiami"),
    (Cue(Note, 0.75), "^ ricorda; ^ ricordati; ^ tieni presente; ^ non dimenticare"),
    (
        Cue(Order, 0.6),
        "^ rispondi; ^ risponda; ^ scrivi; ^ utilizza; ^ mantieni; ^ metti; ^ firma; ^ indica; ^ arrotonda",
    ),
    (
        Idiom,
        "^ mai visto; ^ mai stato; ^ niente di; ^ niente male; ^ niente paura; ^ mai dire mai; ^ non fare così",
    ),
    // Dutch.
    (Cue(Always, 0.85), "^ altijd; vanaf nu; van nu af aan; voortaan; elke keer als; standaard"),
    (
        Cue(Never, 0.8),
        "^ nooit; in geen geval; onder geen beding; ^ geen; ^ vermijd; ^ stop met; mag niet; mogen niet; mag nooit",
    ),
    (Cue(Must, 0.7), "moet altijd; moeten altijd; ^ zorg dat; ^ zorg ervoor; ^ vraag me; ^ vraag mij"),
    (Cue(Limit, 0.7), "hoogstens; maximaal; niet meer dan; uiterlijk; mijn budget; ons budget"),
    (
        Cue(Wish, 0.8),
        "ik ben allergisch; ik ben vegetariër; ik ben veganist; ik heb liever; ik eet geen; ik wil dat",
    ),
    (Cue(Name, 0.8), "^ noem me; ^ noem mij"),
    (Cue(Note, 0.75), "^ onthoud; ^ vergeet niet; ^ denk eraan; ^ let op; ^ belangrijk"),
    (Cue(Order, 0.6), "^ antwoord; ^ schrijf; ^ gebruik; ^ houd; ^ geef; ^ zet; ^ onderteken; ^ rond"),
    (
        Idiom,
        "^ geen probleem; ^ geen idee; ^ geen zorgen; ^ nooit gedacht; ^ geen dank; ^ altijd al; ^ nooit meer ik; ^ geef niet op; ^ geen wonder",
    ),
    // Russian.
    (
        Cue(Always, 0.85),
        "^ всегда; с этого момента; отныне; впредь; с сегодняшнего дня; каждый раз когда; в дальнейшем; по умолчанию",
    ),
    (
        Cue(Never, 0.8),
        "^ никогда не; ни в коем случае; ^ не используй; ^ не используйте; ^ не упоминай; ^ не упоминайте; ^ не трогай; ^ не пиши; ^ не пишите; ^ не удаляй; ^ не добавляй; ^ избегай; ^ избегайте; ^ без; нельзя; не должен; не должны; не должно",
    ),
    (
        Cue(Must, 0.7),
        "должен быть; должна быть; должно быть в; должны быть; обязательно; ^ убедись; ^ убедитесь; ^ спрашивай; ^ спрашивайте",
    ),
    (Cue(Limit, 0.7), "не более; не больше; максимум; не позднее; мой бюджет; наш бюджет"),
    (Cue(Wish, 0.8), "у меня аллергия; я вегетарианец; я вегетарианка; я предпочитаю; я не ем; я хочу чтобы"),
    (Cue(Name, 0.8), "^ зови меня; ^ называй меня; ^ зовите меня"),
    (
        Cue(Note, 0.75),
        "^ помни; ^ помните; ^ запомни; ^ запомните; ^ имей в виду; ^ не забудь; ^ не забывай; ^ важно",
    ),
    (
        Cue(Order, 0.6),
        "^ отвечай; ^ отвечайте; ^ пиши; ^ пишите; ^ используй; ^ используйте; ^ указывай; ^ указывайте; ^ давай ответы; ^ округляй; ^ подписывай",
    ),
    (
        Idiom,
        "^ без проблем; ^ никогда не был; ^ никогда не была; ^ никогда не видел; ^ без понятия; ^ всегда рад; ^ всегда рада",
    ),
    // Chinese.
    (
        Cue(Always, 0.85),
        "从现在起; 从现在开始; 今后; 以后请; 以后都; 总是用; 每次都; 始终; 请一直; 一律; 務必; 务必; 從現在起; 每当",
    ),
    (Cue(Never, 0.8), "不要; 请勿; 切勿; 绝不; 禁止; 不得; 请别; 不准; 不可以; 避免; 請勿; 绝对不能; 不许"),
    (Cue(Must, 0.7), "必须; 必須; 一定要; 请确保; 確保; 确保; 先问我"),
    (Cue(Limit, 0.7), "最多; 不超过; 不得超过; 至多; 预算是; 截止; 最晚"),
    (Cue(Wish, 0.8), "我对; 我過敏; 过敏; 我吃素; 我更喜欢; 我偏好; 我希望你; 我不吃"),
    (Cue(Name, 0.8), "叫我; 称呼我"),
    (Cue(Note, 0.75), "请记住; 記住; 记住; 请注意; 别忘了"),
    (Cue(Order, 0.6), "请用; 请使用; 请保持; 用中文回答; 用英文回答; 請用"),
    (Idiom, "不要紧; 不要担心; 好不要; 从来没; 要不要; 不要客气; 避免不了; 我对你; 不得不; 不要放弃"),
    // Japanese.
    (Cue(Always, 0.85), "今後; これから; 以降は; いつも必ず; 常に; 毎回; 必ず; 原則として"),
    (
        Cue(Never, 0.8),
        "しないでください; ないでください; 絶対に; 禁止; してはいけ; てはいけません; 避けて; 使わないで; やめて; 決して",
    ),
    (
        Cue(Must, 0.7),
        "しなければなりません; なければならない; ようにしてください; 確認してください; 前に聞いて",
    ),
    (Cue(Limit, 0.7), "以内; 以下に; 最大で; までに; 予算は; 締め切り"),
    (Cue(Wish, 0.8), "アレルギー; ベジタリアン; の方が好き; を希望; してほしい; 食べません; 苦手"),
    (Cue(Name, 0.8), "と呼んで"),
    (Cue(Note, 0.75), "覚えておいて; 忘れないで; 注意してください; 重要"),
    (Cue(Order, 0.6), "で答えて; を使って; で書いて; でお願いします; にしてください"),
    (Idiom, "これからも; 絶対に行; 絶対に好; やめてよ; 心配しないで; これから行; 気にしないで"),
    (
        General,
        "jeder; jede; jedes; jedem; alle; allen; chaque; tous; toutes; cada; todos; todas; ogni; tutti; tutte; elke; каждый; каждое; все; всех",
    ),
    (Changed, "wieder; statt; stattdessen; maintenant; ahora; agora; adesso; nu; теперь; plutôt"),
];
