package im.zonda.module.export;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.store.MessageArchive;
import im.zonda.store.RoomStore;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import java.io.IOException;

/// The document of one room, in the server's own namespace: XEP-0227 has no rooms. Reads in
/// portions of bounded size. Blocks.
record RoomDocument(ModuleContext context, RoomStore.Stored stored, RoomArchives rooms) {
  /// Writes all of it.
  ///
  /// @throws IOException if no one takes it
  void write(DocumentWriter out) throws IOException {
    RoomStore.Room room = stored.room();
    Jid creator = room.creator();
    out.begin("room", AccountDocument.OWN, "jid", room.jid().toString());
    out.write(
        Element.builder(AccountDocument.OWN, "created")
            .attribute("stamp", ArchivedMessages.stamp(room.created()))
            .attribute("by", creator == null ? null : creator.toString())
            .build());
    out.write(rooms.configuration(room));
    out.begin("affiliations", AccountDocument.OWN);
    for (RoomStore.Affiliation each : stored.affiliations()) {
      out.write(
          Element.builder(AccountDocument.OWN, "affiliation")
              .attribute("jid", each.user().toString())
              .attribute("affiliation", each.affiliation())
              .attribute("nick", each.nick())
              .attribute("reason", each.reason())
              .build());
    }
    out.end();
    new ArchivedMessages(context.port(MessageArchive.class), context.port(StanzaIds.class))
        .write(room.jid(), out);
    out.end();
    out.flush();
  }
}
