package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.room.Hats;
import im.zonda.store.KeyValueStore;
import im.zonda.store.StoreException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;

/// Stores the hats of rooms. Blocks.
public final class HatStore {
  private static final String KEY = "all";
  private final KeyValueStore store;

  public HatStore(ModuleContext context) {
    store = context.keyValues("hats");
  }

  /// Reads the hats of a stored room.
  public Hats read(Jid room) {
    byte[] stored = store.get(room, KEY);
    try {
      return stored == null ? new Hats() : Hats.of(XmlReader.read(stored));
    } catch (XmlException e) {
      throw new StoreException(StoreException.Category.DAMAGED, "stored hats are no XML", e);
    }
  }

  /// Writes the hats of a room; durable on return.
  public void write(Jid room, Hats hats) {
    ByteArraySink bytes = new ByteArraySink(1_024);
    XmlWriter.write(hats.toElement(), "", bytes);
    store.put(room, KEY, bytes.toByteArray());
  }
}
