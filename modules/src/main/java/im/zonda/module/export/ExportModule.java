package im.zonda.module.export;

import im.zonda.account.AccountRegistration;
import im.zonda.directory.AccountExport;
import im.zonda.jid.Jid;
import im.zonda.journal.Erasure;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.upload.UploadModule;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.StanzaIds;
import im.zonda.store.UploadStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Writes what the server keeps of an account as one document, for its owner and for
/// administrators, and erases it.
///
/// It has the roster with pending requests, the vCard, private XML, the nodes of personal eventing
/// with their configuration, blocked addresses, preferences of the archive, known clients, messages
/// that wait, the archive, and a list of uploaded files with their addresses, and what the account
/// is in rooms. It has no keys of the password, no contents of files, and nothing that belongs to
/// others.
///
/// The document of a host names one document for each account and each room.
@Xep(
    number = 227,
    version = "1.1",
    title = "Portable Import/Export Format for XMPP-IM Servers",
    note =
        "Export of an account by its owner, and of accounts and hosts by administrators, without the"
            + " keys of the password; import by a command of the command line")
public final class ExportModule implements XmppModule, AccountExport {
  private final PrivateXmlModule privateXml;
  private final UploadModule uploads;
  private final RoomArchives rooms;
  private volatile @Nullable ModuleContext installed;

  /// @param privateXml the module that has private XML
  /// @param uploads the module that serves uploaded files
  /// @param rooms the rooms of the host
  public ExportModule(PrivateXmlModule privateXml, UploadModule uploads, RoomArchives rooms) {
    this.privateXml = privateXml;
    this.uploads = uploads;
    this.rooms = rooms;
  }

  @Override
  public String name() {
    return "export";
  }

  @Override
  public Ports ports() {
    return Ports.of(
        AccountAddresses.class,
        AccountRegistration.class,
        Erasure.class,
        RoomStore.class,
        ExternalComponents.class,
        RosterStore.class,
        PubSubStore.class,
        MessageLog.class,
        MessageArchive.class,
        StanzaIds.class,
        UploadStore.class);
  }

  @Override
  public void install(ModuleContext context) {
    installed = context;
    ExportActions exports = new ExportActions(context, documents(context), rooms);
    exports.offers().forEach(context::offer);
    context.offer(new Forgetting(context, exports, rooms).offer());
  }

  private ExportActions.Documents documents(ModuleContext context) {
    return new ExportActions.Documents() {
      @Override
      public void account(Jid account, Sink sink) throws IOException {
        write(account, sink);
      }

      @Override
      public void user(Jid account, Sink sink) throws IOException {
        DocumentWriter out = new DocumentWriter(sink);
        new AccountDocument(context, account, out).writeUser(privateXml, uploads);
      }
    };
  }

  @Override
  public void stop() {
    installed = null;
  }

  @Override
  public boolean isOn() {
    return installed != null;
  }

  @Override
  public void write(Jid account, Sink sink) throws IOException {
    ModuleContext context = installed;
    if (context == null
        || account.local() == null
        || !account.domainJid().equals(context.domain())) {
      throw new IOException("not an account that can be exported: " + account);
    }
    DocumentWriter out = new DocumentWriter(sink);
    new AccountDocument(context, account, out).write(privateXml, uploads);
  }
}
