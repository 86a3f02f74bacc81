/// Clients that cost little: they scan what the server sends instead of parsing it.
@NullMarked
package im.zonda.app.load.client;

import org.jspecify.annotations.NullMarked;
