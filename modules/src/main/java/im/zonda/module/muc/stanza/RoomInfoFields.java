package im.zonda.module.muc.stanza;

import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome;

/// Adds fields to the information that a room discloses (XEP-0045, section 6.4). May block.
@FunctionalInterface
public interface RoomInfoFields {
  /// Adds fields to the form `muc#roominfo`.
  void add(RoomHome home, DataForm.Builder form);
}
