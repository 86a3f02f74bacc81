/// Guests of a virtual host (XEP-0175): how many there are and whether there may be more.
@NullMarked
package im.zonda.home.guest;

import org.jspecify.annotations.NullMarked;
