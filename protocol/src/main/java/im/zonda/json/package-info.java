/// JSON (RFC 8259) as plain data: maps, lists, texts, numbers, booleans and null.
@NullMarked
package im.zonda.json;

import org.jspecify.annotations.NullMarked;
