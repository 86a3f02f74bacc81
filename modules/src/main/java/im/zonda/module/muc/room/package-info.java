/// The state of a room: its occupants, affiliations, roles and configuration (XEP-0045, section 5).
///
/// [im.zonda.module.muc.room.Room] is a state machine. Nothing here sends or receives stanzas, and
/// nothing here blocks.
@NullMarked
package im.zonda.module.muc.room;

import org.jspecify.annotations.NullMarked;
