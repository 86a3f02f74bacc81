/// External components (XEP-0114) as peers of load clients.
@NullMarked
package im.zonda.app.load.component;

import org.jspecify.annotations.NullMarked;
