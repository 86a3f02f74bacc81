package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.room.Hats;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlWriter;
import im.zonda.xml.framing.XmlReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the hats of rooms. Blocks.
public final class HatStore {
  private static final Logger LOG = LoggerFactory.getLogger(HatStore.class);
  private static final String KEY = "all";
  private final KeyValueStore store;

  public HatStore(ModuleContext context) {
    store = context.keyValues("hats");
  }

  /// Reads the hats of a stored room. The room has none if they cannot be read.
  public Hats read(Jid room) {
    byte[] stored = store.get(room, KEY);
    try {
      return stored == null ? new Hats() : Hats.of(XmlReader.read(stored));
    } catch (XmlException e) {
      LOG.atError().addKeyValue("room", room).setCause(e).log("room_hats_damaged");
      return new Hats();
    }
  }

  /// Removes all hats of a room; durable on return.
  void remove(Jid room) {
    store.remove(room, KEY);
  }

  /// Writes the hats of a room; durable on return.
  public void write(Jid room, Hats hats) {
    ByteArraySink bytes = new ByteArraySink(1_024);
    XmlWriter.write(hats.toElement(), "", bytes);
    store.put(room, KEY, bytes.toByteArray());
  }
}
