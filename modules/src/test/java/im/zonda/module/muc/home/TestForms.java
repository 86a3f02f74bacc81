package im.zonda.module.muc.home;

import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomConfigForm.BadFormException;
import im.zonda.module.muc.room.RoomConfig;
import java.util.List;
import java.util.Map;

/// Submitted configuration forms.
public final class TestForms {
  private TestForms() {}

  /// Builds a form from names and values in turn; commas separate several values of a field.
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

  /// Applies such a form to a configuration.
  public static RoomConfig config(RoomConfig now, String... fields) {
    try {
      return RoomConfigForm.read(form(fields), now, 20_000);
    } catch (BadFormException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
