// film_webp.c: films as animated WebP, by libwebp: no other program is needed.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "render.h"

#ifdef PLAIT_HAVE_WEBP
#include <webp/encode.h>
#include <webp/mux.h>

struct plait_webp {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    int width, height, frames;
    double fps;
    char trouble[120]; // the first that there was
};

bool plait_webp_possible(void)
{
    return true;
}

// Frames follow each other without drift: each begins at the millisecond that is nearest.
static int begins(const plait_webp *w)
{
    return (int)lround(1000.0 * w->frames / w->fps);
}

plait_webp *plait_webp_new(int width, int height, double fps)
{
    plait_webp *w = plait_cli_alloc(1, sizeof *w);
    *w = (plait_webp){.width = width, .height = height, .fps = fps};
    WebPAnimEncoderOptions options;
    bool ok = WebPAnimEncoderOptionsInit(&options) && WebPConfigPreset(&w->config, WEBP_PRESET_PICTURE, 78);
    w->encoder = ok ? WebPAnimEncoderNew(width, height, &options) : NULL;
    if (!w->encoder)
        snprintf(w->trouble, sizeof w->trouble, "libwebp takes no pictures of %d x %d pixels", width, height);
    return w;
}

bool plait_webp_add(plait_webp *w, const unsigned char *rgb)
{
    WebPPicture picture;
    if (w->trouble[0] || !WebPPictureInit(&picture))
        return false;
    picture.use_argb = 1;
    picture.width = w->width;
    picture.height = w->height;
    bool ok = WebPPictureImportRGB(&picture, rgb, 3 * w->width) &&
              WebPAnimEncoderAdd(w->encoder, &picture, begins(w), &w->config);
    if (!ok)
        snprintf(w->trouble, sizeof w->trouble, "libwebp, at picture %d: %s", w->frames,
                 picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ? "not enough memory"
                                                                   : WebPAnimEncoderGetError(w->encoder));
    WebPPictureFree(&picture);
    w->frames++;
    return ok;
}

const char *plait_webp_write(plait_webp *w, const char *path)
{
    WebPData data;
    WebPDataInit(&data);
    if (w->trouble[0])
        return w->trouble;
    if (!WebPAnimEncoderAdd(w->encoder, NULL, begins(w), NULL) || !WebPAnimEncoderAssemble(w->encoder, &data)) {
        snprintf(w->trouble, sizeof w->trouble, "libwebp: %s", WebPAnimEncoderGetError(w->encoder));
        return w->trouble;
    }
    errno = 0;
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(data.bytes, 1, data.size, file) == data.size;
    if (file)
        ok = fclose(file) == 0 && ok;
    if (!ok)
        snprintf(w->trouble, sizeof w->trouble, "cannot be written: %s", strerror(errno));
    WebPDataClear(&data);
    return ok ? NULL : w->trouble;
}

void plait_webp_free(plait_webp *w)
{
    if (!w)
        return;
    WebPAnimEncoderDelete(w->encoder);
    free(w);
}

#else // built without libwebp: ffmpeg makes these films too

bool plait_webp_possible(void)
{
    return false;
}

plait_webp *plait_webp_new(int width, int height, double fps)
{
    (void)width, (void)height, (void)fps;
    return NULL;
}

bool plait_webp_add(plait_webp *w, const unsigned char *rgb)
{
    (void)w, (void)rgb;
    return false;
}

const char *plait_webp_write(plait_webp *w, const char *path)
{
    (void)w, (void)path;
    return "built without libwebp";
}

void plait_webp_free(plait_webp *w)
{
    (void)w;
}

#endif
