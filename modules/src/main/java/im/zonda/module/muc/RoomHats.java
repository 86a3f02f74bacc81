package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlReader;
import im.zonda.xml.XmlWriter;

/// Stores the hats of rooms. Blocks.
final class RoomHats {
  private static final String KEY = "all";
  private final KeyValueStore store;

  RoomHats(ModuleContext context) {
    store = context.keyValues("hats");
  }

  /// The hats of a room that is stored.
  Hats read(Jid room) {
    byte[] stored = store.get(room, KEY);
    try {
      return stored == null ? new Hats() : Hats.of(XmlReader.read(stored));
    } catch (XmlException e) {
      throw new StoreException(StoreException.Category.DAMAGED, "stored hats are no XML", e);
    }
  }

  /// Durable when the call returns.
  void write(Jid room, Hats hats) {
    ByteArraySink bytes = new ByteArraySink(1_024);
    XmlWriter.write(hats.toElement(), "", bytes);
    store.put(room, KEY, bytes.toByteArray());
  }
}
