/// Circles: groups of people of a host who are each other's contacts and have a room, made with one
/// command of an administrator.
///
/// What is wanted and what is done are stored apart. A command stores at each account that it is to
/// be a member ([StoredCircles]), and is answered. A task that runs at one node of a cluster
/// ([CircleWork]) brings rosters, room and bookmarks in step with that, with requests to the homes
/// of the accounts and of the room ([CircleUpdate]); each can be repeated, so that a server that
/// was killed goes on where it was. An account that is removed takes what is stored with it.
@NullMarked
package im.zonda.module.circle;

import org.jspecify.annotations.NullMarked;
