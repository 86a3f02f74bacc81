/// Search for the users of a host by their vCards, at a domain of its own (XEP-0055).
@NullMarked
package im.zonda.module.search;

import org.jspecify.annotations.NullMarked;
