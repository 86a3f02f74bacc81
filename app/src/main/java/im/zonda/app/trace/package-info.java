/// Operations on traces: what becomes of the messages of chosen accounts, rooms, domains and
/// networks, step by step.
@NullMarked
package im.zonda.app.trace;

import org.jspecify.annotations.NullMarked;
