package im.zonda.module.muc.home;

import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomConfigForm.BadFormException;
import im.zonda.module.muc.room.RoomConfig;
import java.util.List;
import java.util.Map;

/// Configuration forms as owners submit them.
public final class TestForms {
  private TestForms() {}

  /// A form with those fields: names and values in turn, several values of one with commas between.
  public static DataForm form(String... fields) {
    DataForm.Builder form = DataForm.builder("submit", RoomConfigForm.KIND);
    for (int i = 0; i < fields.length; i += 2) {
      String values = fields[i + 1];
      form.field(
          fields[i],
          null,
          null,
          values.isEmpty() ? List.of() : List.of(values.split(",")),
          Map.of());
    }
    return form.build();
  }

  /// What such a form makes of a configuration.
  public static RoomConfig config(RoomConfig now, String... fields) {
    try {
      return RoomConfigForm.read(form(fields), now, 20_000);
    } catch (BadFormException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
