// operator_parts.h: what is inside an operator; for the files that make it up (operator, operator_rows, colour,
// newton_system).
#ifndef PLAIT_CONTACT_OPERATOR_PARTS_H
#define PLAIT_CONTACT_OPERATOR_PARTS_H

#include "contact/compliance.h"
#include "contact/operator.h"

struct plait_operator {
    int n;
    plait_team team;
    const plait_problem *problem;
    const plait_block_matrix *W;        // NULL: not assembled
    const plait_compliance *compliance; // NULL: only W is known
    plait_compliance_scratch *scratch;
    plait_block_matrix *own_W; // assembled here, on demand
    double traffic;            // bytes read by one product in factored form
    int products;              // so far
    struct plait_spread *spread; // NULL: not over ranks
    struct plait_share *share;   // this is a rank's part of one: nothing else is there but the diagonal
    double *diagonal;          // [9 n]
};

#endif
