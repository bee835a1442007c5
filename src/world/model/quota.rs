//! Exact quotas: shares turned into whole numbers of domains, by largest remainder.
//!
//! A table of strata by variants must add up both ways: every stratum to its size, every variant to
//! its share of the whole. A variant that one domain in eight hundred has would be lost if each
//! stratum rounded alone. Only the four operations of IEEE 754 are used, so that every machine
//! comes to the same table.

/// Rounds of proportional fitting; the tables of a model settle in fewer than twenty.
const ROUNDS: usize = 64;

/// What is as good as a whole number.
const NEARLY: f64 = 1e-9;

/// Divides a total by shares: the whole parts first, the rest to the largest remainders, ties to
/// the earlier share.
pub(super) fn apportion(total: usize, shares: &[f64]) -> Vec<usize> {
    let sum: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares.iter().map(|share| total as f64 * share / sum).collect();
    let mut parts: Vec<usize> = exact.iter().map(|part| (part + NEARLY) as usize).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    let remainder = |at: usize| exact[at] - (exact[at] + NEARLY).floor();
    order.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)));
    let rest = total - parts.iter().sum::<usize>();
    for &at in order.iter().take(rest) {
        parts[at] += 1;
    }
    parts
}

/// A table of whole numbers with the given margins, its cells as near as can be to the product of
/// both margins and a tilt (1 is no tilt).
pub(super) fn table(
    rows: &[usize],
    columns: &[usize],
    tilt: impl Fn(usize, usize) -> f64,
) -> Vec<Vec<usize>> {
    let exact = fitted(rows, columns, tilt);
    let mut left = (rows.to_vec(), columns.to_vec());
    let mut cells = vec![vec![0; columns.len()]; rows.len()];
    let mut order: Vec<(f64, usize, usize)> = Vec::new();
    for (row, of_row) in exact.iter().enumerate() {
        for (column, &cell) in of_row.iter().enumerate() {
            let whole = ((cell + NEARLY) as usize).min(left.0[row]).min(left.1[column]);
            cells[row][column] = whole;
            left.0[row] -= whole;
            left.1[column] -= whole;
            order.push((cell - whole as f64, row, column));
        }
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    while left.0.iter().any(|&rest| rest > 0) && left.1.iter().any(|&rest| rest > 0) {
        for &(_, row, column) in &order {
            if left.0[row] > 0 && left.1[column] > 0 {
                cells[row][column] += 1;
                left.0[row] -= 1;
                left.1[column] -= 1;
            }
        }
    }
    cells
}

/// The tilted product of both margins, scaled to them by turns (iterative proportional fitting).
fn fitted(rows: &[usize], columns: &[usize], tilt: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let mut cells: Vec<Vec<f64>> = rows
        .iter()
        .enumerate()
        .map(|(row, &size)| {
            let cell = |(column, &size_of_column): (usize, &usize)| {
                size as f64 * size_of_column as f64 * tilt(row, column)
            };
            columns.iter().enumerate().map(cell).collect()
        })
        .collect();
    for _ in 0..ROUNDS {
        for (column, &size) in columns.iter().enumerate() {
            let sum: f64 = cells.iter().map(|of_row| of_row[column]).sum();
            if sum > 0.0 {
                cells.iter_mut().for_each(|of_row| of_row[column] *= size as f64 / sum);
            }
        }
        for (of_row, &size) in cells.iter_mut().zip(rows) {
            let sum: f64 = of_row.iter().sum();
            if sum > 0.0 {
                of_row.iter_mut().for_each(|cell| *cell *= size as f64 / sum);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::{apportion, table};

    #[test]
    fn the_rest_goes_to_the_largest_remainders() {
        for (total, shares, expected) in [
            (10, vec![1.0, 1.0, 1.0], vec![4, 3, 3]),
            (10, vec![0.6, 0.3, 0.1], vec![6, 3, 1]),
            (7, vec![5.0, 3.0, 2.0], vec![4, 2, 1]),
            (808, vec![619.0, 146.0, 43.0], vec![619, 146, 43]),
            (0, vec![1.0, 2.0], vec![0, 0]),
            (1, vec![0.0, 2.0], vec![0, 1]),
        ] {
            assert_eq!(apportion(total, &shares), expected, "{total} by {shares:?}");
        }
    }

    #[test]
    fn a_table_adds_up_both_ways_whatever_the_tilt() {
        let tilts: [fn(usize, usize) -> f64; 3] = [
            |_, _| 1.0,
            |row, column| if row == column { 8.0 } else { 1.0 },
            |row, column| if row == 0 && column != 0 { 0.0 } else { 1.0 },
        ];
        for tilt in tilts {
            for rows in [[30, 40, 30], [0, 99, 1], [34, 33, 33]] {
                let columns = [1, 1, 2, 90, 6];
                let cells = table(&rows, &columns, tilt);
                for (row, &size) in rows.iter().enumerate() {
                    assert_eq!(cells[row].iter().sum::<usize>(), size, "{cells:?}");
                }
                for (column, &size) in columns.iter().enumerate() {
                    let sum: usize = cells.iter().map(|row| row[column]).sum();
                    assert_eq!(sum, size, "{cells:?}");
                }
            }
        }
    }

    #[test]
    fn a_tilt_moves_a_variant_and_keeps_its_number() {
        let cells = table(
            &[100, 100],
            &[40, 160],
            |row, column| {
                if row == 0 && column == 0 { 3.0 } else { 1.0 }
            },
        );
        assert_eq!(cells[0][0] + cells[1][0], 40);
        assert!(cells[0][0] > 2 * cells[1][0], "{cells:?}");
    }
}
