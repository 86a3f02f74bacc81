/// Stanzas that enter the routes from outside: from another server, or a component.
@NullMarked
package im.zonda.app.routes;

import org.jspecify.annotations.NullMarked;
