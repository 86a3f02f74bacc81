/// Tests of manifests and of the sections of plugins.
@NullMarked
package im.zonda.app.settings.plugin;

import org.jspecify.annotations.NullMarked;
