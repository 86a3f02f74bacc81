/// Manifests of plugins, and settings that are checked against them.
@NullMarked
package im.zonda.host.plugin.manifest;

import org.jspecify.annotations.NullMarked;
