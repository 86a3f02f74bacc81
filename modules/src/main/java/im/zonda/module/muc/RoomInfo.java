package im.zonda.module.muc;

import im.zonda.module.forms.DataForm;

/// Adds to what a room tells of itself (XEP-0045, section 6.4). May block.
@FunctionalInterface
interface RoomInfo {
  /// Adds fields to the form `muc#roominfo`.
  void add(RoomHome home, DataForm.Builder form);
}
