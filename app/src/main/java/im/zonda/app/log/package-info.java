/// Log lines: how they look and how they leave, without a thread ever waiting for them.
@NullMarked
package im.zonda.app.log;

import org.jspecify.annotations.NullMarked;
