package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.module.SavedState;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Saved entries in memory, written and read by their form.
final class TestSavedState implements SavedState {
  private final Map<String, List<byte[]>> saved = new HashMap<>();

  @Override
  public <T> void save(Jid domain, Codec<T> form, List<T> entries) {
    List<byte[]> written = new ArrayList<>();
    for (T entry : entries) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        form.write(entry, new DataOutputStream(bytes));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      written.add(bytes.toByteArray());
    }
    saved.put(form.name() + "." + domain, written);
  }

  @Override
  public <T> List<T> take(Jid domain, Codec<T> form) {
    List<T> entries = new ArrayList<>();
    List<byte[]> written = saved.remove(form.name() + "." + domain);
    for (byte[] each : written == null ? List.<byte[]>of() : written) {
      try {
        entries.add(form.read(new DataInputStream(new ByteArrayInputStream(each))));
      } catch (IOException | XmlException | StanzaFormatException e) {
        throw new IllegalStateException(e);
      }
    }
    return entries;
  }
}
