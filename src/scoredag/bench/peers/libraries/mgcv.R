# P-values of CAM's pruning step: each node on a smooth term of every candidate parent.
#
# Rscript mgcv.R DATA CANDIDATES P_VALUES FACTS METHOD
#   DATA        rows of numbers
#   CANDIDATES  d x d of 0 and 1; row i, column j: i may cause j
#   P_VALUES    written: d x d, nan where not tested; not written if R has no mgcv
#   FACTS       written: elapsed seconds, CPU seconds, version of R, version of mgcv
#   METHOD      how smoothing parameters are chosen, such as GCV.Cp or REML

args <- commandArgs(trailingOnly = TRUE)
if (!requireNamespace("mgcv", quietly = TRUE)) quit(status = 0)

table <- read.table(args[1])
candidates <- as.matrix(read.table(args[2]))
names(table) <- paste0("x", seq_along(table))

# 10 coefficients a term, or a third of the rows per term where those are scarce (CAM's rule).
basis_size <- function(rows, terms) {
  if (rows / terms >= 30) 10 else max(3, ceiling(rows / (3 * terms)))
}

p_values_of <- function(node) {
  parents <- names(table)[candidates[, node] != 0]
  size <- basis_size(nrow(table), length(parents))
  terms <- sprintf("s(%s, k = %d)", parents, as.integer(size))
  model <- reformulate(terms, response = names(table)[node])
  summary(mgcv::gam(model, data = table, method = args[5]))$s.pv
}

before <- proc.time()
tests <- matrix(NaN, ncol(table), ncol(table))
for (node in which(colSums(candidates) > 0)) {
  tests[candidates[, node] != 0, node] <- p_values_of(node)
}
spent <- proc.time() - before

write.table(format(tests, digits = 15, trim = TRUE), args[3],
            quote = FALSE, row.names = FALSE, col.names = FALSE)
facts <- c(spent[["elapsed"]], spent[["user.self"]] + spent[["sys.self"]],
           paste(R.version$major, R.version$minor, sep = "."),
           as.character(packageVersion("mgcv")))
writeLines(as.character(facts), args[4])
