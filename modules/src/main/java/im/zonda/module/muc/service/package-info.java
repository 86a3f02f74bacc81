/// The room service at its domain: brings stanzas to the rooms, and restores occupants after a
/// restart.
@NullMarked
package im.zonda.module.muc.service;

import org.jspecify.annotations.NullMarked;
