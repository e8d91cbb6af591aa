"""Neural networks for GraN-DAG: one a column, all trained at once under an acyclicity constraint.

    networks -> connectivity -> acyclicity -> training -> reduction
                                 lagrangian, rmsprop serve training
    selection: candidate causes before training, where there are many columns

Networks, connectivity, acyclicity and training need PyTorch, which is optional: `backend` asks for
it in words. Importing this package does not.
"""
