package im.zonda.module.muc.stanza;

import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome;

/// Adds to what a room tells of itself (XEP-0045, section 6.4). May block.
@FunctionalInterface
public interface RoomInfo {
  /// Adds fields to the form `muc#roominfo`.
  void add(RoomHome home, DataForm.Builder form);
}
