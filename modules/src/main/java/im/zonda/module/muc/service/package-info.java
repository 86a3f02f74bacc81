/// The room service at its domain: brings stanzas to the rooms, restores occupants after a restart,
/// and takes them along to another node.
@NullMarked
package im.zonda.module.muc.service;

import org.jspecify.annotations.NullMarked;
