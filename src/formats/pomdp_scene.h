/* Scenes in .pomdp files, see pomdp_scene.c. */
#ifndef GLI_FORMATS_POMDP_SCENE_H
#define GLI_FORMATS_POMDP_SCENE_H

#include "formats/pomdp.h"
#include "formats/stream.h"

/* One line; the current token is behind the key. */
bool gli_pomdp_scene_read(gli_pomdp *pomdp);
/* All lines are read: gives the scene to the builder, unless the file has errors. */
void gli_pomdp_scene_finish(gli_pomdp *pomdp);
void gli_pomdp_scene_free(gli_pomdp_scene *scene);

typedef struct gli_pomdp_grid {
  uint32_t rows, columns, places, layers;
} gli_pomdp_grid;

/* What was read so far: its size, names (not terminated), and where a layer is in each state, as in glimpse_scene. */
gli_pomdp_grid gli_pomdp_scene_grid(const gli_pomdp_scene *scene);
const char *gli_pomdp_scene_layer(const gli_pomdp_scene *scene, uint32_t layer, size_t *length);
const char *gli_pomdp_scene_place(const gli_pomdp_scene *scene, uint32_t place, size_t *length);
void gli_pomdp_scene_cells(const gli_pomdp_scene *scene, uint32_t layer, uint32_t states, uint32_t *cells);

/* The lines of a model's scene; false: out of memory. */
bool gli_pomdp_scene_write(gli_stream *out, const glimpse_model *model);

#endif
