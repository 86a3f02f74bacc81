/// Commands for authors of plugins, which need no server.
@NullMarked
package im.zonda.app.plugin.command;

import org.jspecify.annotations.NullMarked;
