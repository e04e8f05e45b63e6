//! Names that a user may have meant.

/// How many names are offered at most.
const MAX_OFFERED: usize = 3;

/// The names most like `wanted`, best first: few letters away, or containing it.
pub(crate) fn similar<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| Some((difference(&wanted, &name.to_lowercase())?, name)))
        .collect();
    found.sort_unstable();
    found.dedup();
    let names = found.into_iter().map(|(_, name)| name.to_owned());
    names.take(MAX_OFFERED).collect()
}

/// How unlike two names are, or nothing if they are not alike at all.
fn difference(wanted: &str, name: &str) -> Option<usize> {
    let last = name.rsplit(['.', '$']).next().unwrap_or(name);
    let edits = edits(wanted, name).min(edits(wanted, last));
    let limit = wanted.chars().count() / 3;
    match edits <= limit {
        true => Some(edits),
        false if wanted.len() >= 3 && name.contains(wanted) => Some(limit + 1),
        false => None,
    }
}

/// How many letters have to be added, removed or replaced (the Levenshtein distance).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wanted: &str, expected: &[&str]) {
        let names = [
            "shop.Cart",
            "shop.Customer",
            "shop.Cart$Line",
            "shop.Discount",
        ];
        assert_eq!(similar(wanted, names), expected);
    }

    #[test]
    fn few_letters_away() {
        check("shop.Crat", &["shop.Cart"]);
        check("Custmer", &["shop.Customer"]);
    }

    #[test]
    fn case_and_package_may_be_wrong() {
        check("discount", &["shop.Discount"]);
    }

    #[test]
    fn a_part_of_the_name() {
        check("ustom", &["shop.Customer"]);
    }

    #[test]
    fn nothing_alike() {
        check("Payment", &[]);
        assert_eq!(edits("", "abc"), 3);
    }
}
