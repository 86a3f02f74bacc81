/// Pages for the first hour: the first steps of a new server, changes of the configuration, and
/// invitations.
@NullMarked
package im.zonda.console.guide;

import org.jspecify.annotations.NullMarked;
