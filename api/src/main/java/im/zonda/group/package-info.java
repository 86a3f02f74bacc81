/// Shared groups: people of a host who have each other in their contact lists, without a stored
/// copy for each.
///
/// Each node of a cluster keeps one [im.zonda.group.GroupDirectory] for each host, which cannot
/// change and which all homes share; a change makes another one.
@NullMarked
package im.zonda.group;

import org.jspecify.annotations.NullMarked;
