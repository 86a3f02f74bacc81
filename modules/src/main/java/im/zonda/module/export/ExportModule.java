package im.zonda.module.export;

import im.zonda.directory.AccountExport;
import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.upload.UploadModule;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RosterStore;
import im.zonda.store.StanzaIds;
import im.zonda.store.UploadStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Writes what the server keeps of an account as one document, for its owner.
///
/// It has the roster with pending requests, the vCard, private XML, the nodes of personal eventing
/// with their configuration, blocked addresses, preferences of the archive, known clients, messages
/// that wait, the archive, and a list of uploaded files with their addresses. It has no keys of the
/// password, no contents of files, and nothing that belongs to others, such as rooms.
@Xep(
    number = 227,
    version = "1.1",
    title = "Portable Import/Export Format for XMPP-IM Servers",
    note = "Export of an account by its owner only, without the keys of the password; no import")
public final class ExportModule implements XmppModule, AccountExport {
  private final PrivateXmlModule privateXml;
  private final UploadModule uploads;
  private volatile @Nullable ModuleContext installed;

  /// @param privateXml the module that has private XML
  /// @param uploads the module that serves uploaded files
  public ExportModule(PrivateXmlModule privateXml, UploadModule uploads) {
    this.privateXml = privateXml;
    this.uploads = uploads;
  }

  @Override
  public String name() {
    return "export";
  }

  @Override
  public Ports ports() {
    return Ports.of(
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
