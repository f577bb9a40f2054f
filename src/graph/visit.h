/* Visit: shows a graph to others, whole or in part. */
#ifndef GLI_GRAPH_VISIT_H
#define GLI_GRAPH_VISIT_H

#include "graph/graph.h"

/* As glimpse_planner_visit.  BAD_ARGUMENT when the graph has no root. */
glimpse_status gli_graph_visit(const gli_graph *graph, const glimpse_visit *visit);

#endif
