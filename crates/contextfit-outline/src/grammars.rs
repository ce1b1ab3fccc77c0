//! The grammars, each as a few lines of data.

use std::sync::LazyLock;

use contextfit_text::Language;

use crate::grammar::{Compiled, Grammar};

/// Defines the function that looks up compiled grammars by name. Each grammar has a feature, a name and its node kinds,
/// which may extend those of another.
macro_rules! grammars {
    (@base) => { Grammar::default() };
    (@base $base:expr) => { $base };
    ($($feature:literal $name:literal $parser:expr => { $($field:ident: $kinds:expr,)* $(..$base:expr)? })*) => {
        /// The grammar called `name`, compiled on first use; `None` if this build does not have it.
        pub(crate) fn grammar(name: &str) -> Option<&'static Compiled> {
            match name {
                $(
                    #[cfg(feature = $feature)]
                    $name => {
                        static COMPILED: LazyLock<Compiled> = LazyLock::new(|| {
                            let grammar = Grammar { $($field: $kinds,)* ..grammars!(@base $($base)?) };
                            grammar.compile($parser.into())
                        });
                        Some(&COMPILED)
                    }
                )*
                _ => None,
            }
        }

        /// The names of the languages whose grammars this build has, in alphabetical order.
        pub fn grammars() -> impl Iterator<Item = &'static str> {
            let mut names: Vec<&'static str> = vec![$(#[cfg(feature = $feature)] $name,)*];
            names.sort_unstable();
            names.into_iter()
        }

        /// The feature of this crate that adds a grammar for `language`, if this build lacks it. Constant time.
        #[must_use]
        pub fn lacking_grammar(language: &Language) -> Option<&'static str> {
            match language.name {
                $(
                    #[cfg(not(feature = $feature))]
                    $name => Some($feature),
                )*
                _ => None,
            }
        }
    };
}

/// JavaScript, extended by TypeScript.
fn javascript() -> Grammar {
    Grammar {
        lists: "program statement_block class_body switch_body switch_case switch_default object array \
            interface_body object_type enum_body",
        functions: "function_declaration generator_function_declaration method_definition \
            function_signature method_signature abstract_method_signature",
        types: "class_declaration abstract_class_declaration interface_declaration enum_declaration \
            type_alias_declaration internal_module module",
        assignments: "variable_declarator assignment_expression public_field_definition field_definition pair",
        values: "arrow_function function_expression class generator_function",
        wrappers: "export_statement lexical_declaration variable_declaration expression_statement \
            ambient_declaration",
        imports: "import_statement import_alias",
        comments: "comment html_comment",
        prefixes: "decorator",
        ..Grammar::default()
    }
}

/// C, extended by C++.
fn c() -> Grammar {
    Grammar {
        lists: "translation_unit compound_statement declaration_list field_declaration_list enumerator_list \
            initializer_list case_statement preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef",
        functions: "function_definition",
        types: "struct_specifier union_specifier enum_specifier type_definition class_specifier \
            namespace_definition preproc_function_def concept_definition alias_declaration",
        wrappers: "declaration field_declaration template_declaration linkage_specification",
        imports: "preproc_include",
        comments: "comment",
        ..Grammar::default()
    }
}

grammars! {
    "rust" "rust" tree_sitter_rust::LANGUAGE => {
        lists: "source_file block declaration_list field_declaration_list enum_variant_list match_block array_expression \
            field_initializer_list",
        functions: "function_item function_signature_item macro_definition",
        types: "struct_item enum_item union_item trait_item impl_item mod_item type_item foreign_mod_item",
        imports: "use_declaration extern_crate_declaration",
        comments: "line_comment block_comment",
        prefixes: "attribute_item",
        leaves: "token_tree token_tree_pattern",
    }
    "python" "python" tree_sitter_python::LANGUAGE => {
        lists: "module dictionary list set",
        never_empty: "block",
        functions: "function_definition",
        types: "class_definition type_alias_statement",
        wrappers: "decorated_definition",
        imports: "import_statement import_from_statement future_import_statement",
        comments: "comment",
        cases: "case_clause",
        placeholder: "...",
    }
    "javascript" "javascript" tree_sitter_javascript::LANGUAGE => { ..javascript() }
    "typescript" "typescript" tree_sitter_typescript::LANGUAGE_TYPESCRIPT => { ..javascript() }
    "typescript" "tsx" tree_sitter_typescript::LANGUAGE_TSX => { ..javascript() }
    "go" "go" tree_sitter_go::LANGUAGE => {
        lists: "source_file statement_list field_declaration_list interface_type const_declaration var_declaration \
            var_spec_list type_declaration import_spec_list literal_value expression_switch_statement \
            type_switch_statement select_statement expression_case default_case type_case communication_case",
        functions: "function_declaration method_declaration method_elem",
        types: "type_spec type_alias",
        wrappers: "type_declaration",
        imports: "import_declaration",
        comments: "comment",
        fixed: "package_clause",
    }
    "java" "java" tree_sitter_java::LANGUAGE => {
        lists: "program class_body interface_body enum_body enum_body_declarations annotation_type_body block constructor_body \
            switch_block switch_block_statement_group array_initializer module_body",
        functions: "method_declaration constructor_declaration compact_constructor_declaration \
            annotation_type_element_declaration",
        types: "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration \
            module_declaration",
        imports: "import_declaration",
        comments: "line_comment block_comment",
    }
    "c" "c" tree_sitter_c::LANGUAGE => { ..c() }
    "cpp" "cpp" tree_sitter_cpp::LANGUAGE => {
        // The grammar reads `{ {} }` after a signature as a value.
        never_empty_nested: "compound_statement",
        functions: "function_definition inline_method_definition",
        imports: "preproc_include using_declaration",
        fixed: "access_specifier",
        ..c()
    }
    "ruby" "ruby" tree_sitter_ruby::LANGUAGE => {
        lists: "program body_statement then else do begin ensure block_body hash",
        functions: "method singleton_method",
        types: "class module singleton_class",
        comments: "comment",
        trailing: "heredoc_body",
    }
    "bash" "bash" tree_sitter_bash::LANGUAGE => {
        lists: "program case_item",
        keep_last: "case_statement",
        never_empty: "compound_statement do_group subshell if_statement elif_clause else_clause",
        functions: "function_definition",
        comments: "comment",
        trailing: "heredoc_body heredoc_end",
    }
    "json" "json" tree_sitter_json::LANGUAGE => {
        lists: "document",
        keep_last: "object array",
        types: "pair",
        comments: "comment",
    }
    "yaml" "yaml" tree_sitter_yaml::LANGUAGE => {
        lists: "stream block_mapping block_sequence",
        types: "block_mapping_pair",
        comments: "comment",
    }
    "toml" "toml" tree_sitter_toml_ng::LANGUAGE => {
        lists: "document table table_array_element array",
        types: "table table_array_element",
        comments: "comment",
    }
    "markdown" "markdown" tree_sitter_md::LANGUAGE => {
        lists: "document section list",
        types: "section",
        fixed: "atx_heading setext_heading",
    }
    "csharp" "csharp" tree_sitter_c_sharp::LANGUAGE => {
        lists: "compilation_unit declaration_list block switch_body switch_section enum_member_declaration_list accessor_list \
            initializer_expression preproc_if preproc_else preproc_elif",
        functions: "method_declaration constructor_declaration destructor_declaration operator_declaration \
            conversion_operator_declaration indexer_declaration property_declaration local_function_statement",
        types: "class_declaration struct_declaration interface_declaration enum_declaration record_declaration \
            namespace_declaration delegate_declaration",
        imports: "using_directive extern_alias_directive",
        comments: "comment",
        fixed: "file_scoped_namespace_declaration",
    }
    "php" "php" tree_sitter_php::LANGUAGE_PHP => {
        lists: "program compound_statement declaration_list enum_declaration_list switch_block case_statement \
            default_statement match_block colon_block",
        functions: "function_definition method_declaration",
        types: "class_declaration interface_declaration trait_declaration enum_declaration namespace_definition",
        imports: "namespace_use_declaration",
        comments: "comment",
        fixed: "php_tag",
    }
    "kotlin" "kotlin" tree_sitter_kotlin_ng::LANGUAGE => {
        lists: "source_file class_body block lambda_literal when_expression",
        functions: "function_declaration secondary_constructor",
        types: "class_declaration object_declaration companion_object type_alias",
        imports: "import",
        comments: "line_comment block_comment",
        fixed: "package_header",
    }
    "swift" "swift" tree_sitter_swift::LANGUAGE => {
        lists: "source_file class_body enum_class_body protocol_body statements",
        functions: "function_declaration init_declaration deinit_declaration subscript_declaration \
            protocol_function_declaration macro_declaration",
        types: "class_declaration protocol_declaration typealias_declaration",
        imports: "import_declaration",
        comments: "comment multiline_comment",
    }
    "scala" "scala" tree_sitter_scala::LANGUAGE => {
        lists: "compilation_unit template_body block case_block enum_body",
        never_empty: "indented_block indented_cases with_template_body",
        functions: "function_definition function_declaration given_definition",
        types: "class_definition object_definition trait_definition enum_definition type_definition package_object \
            extension_definition",
        imports: "import_declaration export_declaration",
        comments: "comment block_comment",
        fixed: "package_clause",
    }
}
