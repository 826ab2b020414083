//! Do two triangles share a point? In both orders, with the corners of each in every order.

use anyhow::Result;
use crumple::Triangle;
use crumple::exact::triangles_meet;

use crate::Tally;
use crate::data::Data;

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let table = data.table("ground_truth/tri_tri.csv")?;
    let mut tally = Tally::default();
    for (number, row) in table.rows.iter().enumerate() {
        let corner = |name: &str| -> Result<[f32; 3]> {
            let [x, y, z] = ["x", "y", "z"].map(|axis| table.number(row, &format!("{name}{axis}")));
            Ok([x?, y?, z?])
        };
        let a = [corner("a0")?, corner("a1")?, corner("a2")?];
        let b = [corner("b0")?, corner("b1")?, corner("b2")?];
        let truth = table.number::<u8>(row, "intersect")? == 1;
        let ordered = |corners: [[f32; 3]; 3], order: [usize; 3]| Triangle(order.map(|corner| corners[corner]));
        let mut all = true;
        for (order_a, order_b) in ORDERS.iter().flat_map(|a| ORDERS.iter().map(move |b| (*a, *b))) {
            let (a, b) = (ordered(a, order_a), ordered(b, order_b));
            all &= triangles_meet(&a, &b) == truth && triangles_meet(&b, &a) == truth;
        }
        // One answer a row: wrong in any order is wrong.
        tally.compare(all, true, || format!("row {} ({}), truth {truth}", number + 1, row[0]));
    }
    Ok(tally)
}
