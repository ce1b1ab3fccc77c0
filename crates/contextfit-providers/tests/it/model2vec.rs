//! Static embeddings: the vectors of texts, the models accepted, and the faults of those refused.

use std::{env, error::Error, fs, path::Path};

use contextfit_kernel::EmbeddingProvider;
use contextfit_providers::{StaticEmbeddings, StaticEmbeddingsError};
use contextfit_testkit::check_embedder;
use safetensors::Dtype;
use serde_json::json;

use crate::fixture::Fixture;

#[track_caller]
fn check(model: &StaticEmbeddings, text: &str, expect: [f32; 2]) {
    let vectors = model.embed_texts(&[text]).unwrap();
    let far = vectors[0].iter().zip(expect).any(|(found, expect)| (found - expect).abs() > 1e-6);
    assert!(vectors.len() == 1 && !far, "`{text:.60}`: got {vectors:?}, expected {expect:?}");
}

#[track_caller]
fn load(fixture: &Fixture) -> StaticEmbeddings {
    StaticEmbeddings::from_folder(fixture.write().path()).unwrap()
}

/// Asserts that the folder is refused and that the error with its cause starts with `expect`; `FOLDER` is its path.
#[track_caller]
fn check_refused(folder: &Path, expect: &str) {
    let error = StaticEmbeddings::from_folder(folder).unwrap_err();
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    let found = format!("{error}{cause}").replace(&folder.display().to_string(), "FOLDER");
    assert!(found.starts_with(expect), "{found}");
}

#[test]
fn a_text_has_the_mean_of_its_tokens() {
    let model = load(&Fixture::new());
    assert_eq!(model.dimension(), 2);
    check(&model, "car", [1.0, 0.0]);
    check(&model, "Car, AUTOMOBILE", [0.95, 0.05]);
    check(&model, "banana", [0.0, 3.0]);
    check(&model, "car car banana", [0.5, 1.5]);
}

#[test]
fn what_is_unknown_does_not_count() {
    let model = load(&Fixture::new());
    check(&model, "the car", [1.0, 0.0]);
    for text in ["", " \n", "unknown", "汉字", "[UNK]", &"x".repeat(100_000)] {
        check(&model, text, [0.0, 0.0]);
    }
}

#[test]
fn nothing_is_truncated_or_padded() {
    let text = format!("{} banana banana", "car ".repeat(100_000));
    check(&load(&Fixture::new()), &text, [100_000.0 / 100_004.0, 12.0 / 100_004.0]);
}

#[test]
fn unit_length_is_up_to_the_configuration() {
    let mut fixture = Fixture::new();
    fixture.config = json!({"normalize": true});
    let model = load(&fixture);
    check(&model, "banana", [0.0, 1.0]);
    check(&model, "car banana banana", [1.0 / 145_f32.sqrt(), 12.0 / 145_f32.sqrt()]);
    check(&model, "", [0.0, 0.0]);
}

#[test]
fn tables_come_in_other_types() {
    let mut fixture = Fixture::new();
    fixture.tensor("embeddings", Dtype::I8, &[6, 2], vec![0, 0, 9, 9, 1, 0, 2, 1, 0, 4, 0, 252]);
    check(&load(&fixture), "car automobile", [1.5, 0.5]);
    check(&load(&fixture), "banana", [0.0, 0.0]);
    let halves = [0_u16, 0, 0, 0, 0x3c00, 0, 0x3800, 0x3800, 0, 0x4000, 0, 0x4400];
    let halves = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    fixture.tensor("embeddings", Dtype::F16, &[6, 2], halves);
    check(&load(&fixture), "car automobile", [0.75, 0.25]);
}

/// Like models with a quantised vocabulary: tokens share rows, and have their own weights.
#[test]
fn tokens_can_share_rows() {
    let mut fixture = Fixture::new();
    let rows = [1.0_f32, 0.0, 0.0, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let weights = [0.0_f32, 0.0, 2.0, 4.0, 1.0, 3.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    fixture.tensor("embeddings", Dtype::F32, &[2, 2], rows);
    fixture.tensor("weights", Dtype::F32, &[6], weights);
    let mapping: [i64; 6] = [0, 0, 0, 0, 1, 1];
    fixture.tensor("mapping", Dtype::I64, &[6], mapping.iter().flat_map(|x| x.to_le_bytes()).collect());
    let model = load(&fixture);
    check(&model, "car automobile", [3.0, 0.0]);
    check(&model, "banana", [0.0, 2.0]);
    let mapping = mapping.map(|row| row as i32);
    fixture.tensor("mapping", Dtype::I32, &[6], mapping.iter().flat_map(|x| x.to_le_bytes()).collect());
    check(&load(&fixture), "banana car", [2.0 / 3.0, 4.0 / 3.0]);
}

#[test]
fn a_vocabulary_can_have_weights() {
    let model = load(&Fixture::unigram());
    check(&model, "car 汉 banana", [1.0 / 3.0, 2.0]);
}

#[tokio::test]
async fn models_keep_the_contract() {
    for fixture in [Fixture::new(), Fixture::unigram()] {
        check_embedder(&load(&fixture)).await;
    }
}

#[tokio::test]
async fn awaiting_gives_the_same() {
    let folder = Fixture::new().write();
    let model = StaticEmbeddings::from_folder(folder.path()).unwrap();
    let texts = ["car", "", "banana"];
    assert_eq!(model.embed(&texts).await.unwrap(), model.embed_texts(&texts).unwrap());
    assert_eq!(model.model(), folder.path().display().to_string());
    assert!(format!("{model:?}").contains("dimension: 2"));
}

#[test]
fn a_missing_file_is_named() {
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let folder = Fixture::new().write();
        fs::remove_file(folder.path().join(name)).unwrap();
        check_refused(folder.path(), &format!("cannot read FOLDER/{name}: "));
    }
    check_refused(Path::new("no/such"), "cannot read FOLDER/config.json: ");
}

#[test]
fn a_file_of_another_kind_is_named() {
    for name in ["tokenizer.json", "model.safetensors"] {
        let folder = Fixture::new().write();
        fs::write(folder.path().join(name), "something else").unwrap();
        check_refused(folder.path(), &format!("FOLDER/{name} does not belong to a static embedding model: "));
    }
    let folder = Fixture::new().write();
    fs::write(folder.path().join("config.json"), "something else").unwrap();
    check_refused(
        folder.path(),
        "FOLDER does not belong to a static embedding model: failed to parse config.json",
    );
}

#[test]
fn a_wrong_table_is_refused() {
    let check = |dtype, shape: &[usize], bytes: usize, expect: &str| {
        let mut fixture = Fixture::new();
        fixture.tensor("embeddings", dtype, shape, vec![0; bytes]);
        check_refused(fixture.write().path(), &format!("FOLDER/model.safetensors: {expect}"));
    };
    let must_be = "but must be F32, F16 or I8 [rows, dimension]";
    check(Dtype::F32, &[12], 48, &format!("`embeddings` is F32 [12], {must_be}"));
    check(Dtype::F32, &[6, 0], 0, &format!("`embeddings` is F32 [6, 0], {must_be}"));
    check(Dtype::I64, &[6, 2], 96, &format!("`embeddings` is I64 [6, 2], {must_be}"));
    check(Dtype::F32, &[5, 2], 40, "token 5 needs row 5, but there are only 5");
    check(Dtype::F32, &[0, 2], 0, "token 0 needs row 0, but there are only 0");

    let mut fixture = Fixture::new();
    fixture.tensors.clear();
    check_refused(fixture.write().path(), "FOLDER/model.safetensors has no tensor `embeddings`");
}

#[test]
fn a_wrong_mapping_is_refused() {
    let check = |dtype, shape: &[usize], numbers: &[i64], expect: &str| {
        let mut fixture = Fixture::new();
        fixture.tensor("mapping", dtype, shape, numbers.iter().flat_map(|x| x.to_le_bytes()).collect());
        check_refused(fixture.write().path(), &format!("FOLDER/model.safetensors: {expect}"));
    };
    check(Dtype::I64, &[6], &[0, 1, 2, 6, 4, 5], "token 3 needs row 6, but there are only 6");
    check(Dtype::I64, &[6], &[0, -1, 2, 3, 4, 5], "`mapping` is I64 [6], but must be I32 or I64 [tokens]");
    check(Dtype::I64, &[1, 1], &[0], "`mapping` is I64 [1, 1], but must be");
    check(Dtype::F64, &[1], &[0], "`mapping` is F64 [1], but must be");
}

/// Tokens that the tokenizer can produce but the table lacks would otherwise only show while embedding.
#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let mut added = Fixture::new();
    let mut token = added.tokenizer["added_tokens"][0].clone();
    token["content"] = json!("[NEW]");
    token["id"] = json!(3);
    added.tokenizer["added_tokens"].as_array_mut().unwrap().push(token);
    check_refused(
        added.write().path(),
        "FOLDER/model.safetensors: token 6 needs row 6, but there are only 6",
    );

    let mut high = Fixture::new();
    high.tokenizer["model"]["vocab"]["car"] = json!(u32::MAX);
    check_refused(high.write().path(), "FOLDER/model.safetensors: token 6 needs row 6, but there are only 6");

    let mut speechless = Fixture::unigram();
    speechless.tokenizer["model"]["unk_id"] = json!(null);
    let expect =
        "FOLDER/tokenizer.json does not belong to a static embedding model: the tokenizer has no token for";
    check_refused(speechless.write().path(), expect);

    let mut nameless = Fixture::new();
    nameless.tokenizer["model"]["unk_token"] = json!("[NO]");
    check_refused(nameless.write().path(), "FOLDER does not belong to a static embedding model: ");
}

#[tokio::test]
async fn infinities_do_not_get_out() {
    let mut fixture = Fixture::new();
    let (_, _, table) = fixture.tensors.get_mut("embeddings").unwrap();
    table[16..20].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let model = load(&fixture);
    check(&model, "banana", [0.0, 3.0]);
    let error = model.embed_texts(&["banana", "car"]).unwrap_err();
    assert!(matches!(error, StaticEmbeddingsError::NotFinite { text: 1, .. }), "{error}");
    let error = model.embed(&["car"]).await.unwrap_err();
    assert!(!error.retryable && error.to_string().contains("the vector of text 0 is not finite"), "{error}");
}

/// A real model, if available: the folder of WordLlama in CONTEXTFIT_STATIC_MODEL (docs/embeddings.md says how it is
/// made). The cosines are those of the mean of its rows, computed in NumPy from the tokens of the Python package
/// `tokenizers`.
#[tokio::test]
async fn wordllama_gives_what_it_should() {
    let Some(folder) = env::var_os("CONTEXTFIT_STATIC_MODEL") else {
        return eprintln!("skipped: CONTEXTFIT_STATIC_MODEL is not a folder with WordLlama");
    };
    let model = StaticEmbeddings::from_folder(folder).unwrap();
    assert_eq!(model.dimension(), 256);
    let check = |query: &str, texts: [&str; 2], expect: [f32; 2]| {
        let vectors = model.embed_texts(&[query, texts[0], texts[1]]).unwrap();
        let cosine = |n: usize| vectors[0].iter().zip(&vectors[n]).map(|(x, y)| x * y).sum::<f32>();
        let found = [cosine(1), cosine(2)];
        let far = found.iter().zip(expect).any(|(found, expect)| (found - expect).abs() > 6e-4);
        assert!(!far, "`{query}`: got {found:?}, expected {expect:?}");
    };
    check("car", ["automobile", "banana"], [0.667, 0.002]);
    check("How do I stop the engine?", ["Switching off the motor", "Peeling a banana"], [0.301, 0.008]);
    check_embedder(&model).await;
}
