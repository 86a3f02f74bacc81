package im.zonda.app.transfer.openfire;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.portable.XmlFile;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A document of Openfire's plugin *User Import Export* in its own format: accounts with passwords
/// and contacts, of one host that is not named.
///
/// The plugin writes the name of the user where it cannot read the password; such a password is not
/// taken.
public final class OpenfireDocument implements ImportSource {
  private static final int ENTRY_BYTES = 100;

  private final Path file;
  private final String host;

  /// Opens a document.
  ///
  /// @param host the host of its accounts, or null
  /// @throws IllegalArgumentException if no host is given
  /// @throws IOException if there is no such file
  public OpenfireDocument(Path file, @Nullable String host) throws IOException {
    this.file = file.toRealPath();
    if (host == null) {
      throw new IllegalArgumentException(
          "the document of Openfire does not name its host; give it with --host");
    }
    this.host = host;
  }

  /// Whether a file is a document in this format.
  public static boolean recognises(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (XmlFile xml = XmlFile.open(file)) {
      return isRoot(xml);
    } catch (IOException e) {
      return false; // another format
    }
  }

  private static boolean isRoot(XmlFile xml) {
    return xml.namespace().isEmpty() && xml.name().equals("Openfire");
  }

  @Override
  public String name() {
    return "Openfire " + file;
  }

  @Override
  public long countAccounts() {
    return -1;
  }

  @Override
  public void readAccounts(Receiver receiver) throws IOException {
    try (XmlFile xml = XmlFile.open(file)) {
      if (!isRoot(xml)) {
        throw new IOException(file + ": not a document of Openfire: <Openfire/> expected");
      }
      while (xml.nextChild()) {
        String where = xml.where();
        if (!xml.name().equals("User")) {
          receiver.omit(new Omission(where, "<" + xml.name() + "/>", "not a user"));
          xml.skip();
          continue;
        }
        try {
          user(xml.element(), where, receiver);
        } catch (BadRecordException e) {
          receiver.omit(new Omission(where, "a user", String.valueOf(e.getMessage())));
        }
      }
    }
  }

  private void user(Element user, String where, Receiver receiver) throws BadRecordException {
    String name = text(user, "Username");
    AccountDraft draft = new AccountDraft(address(name), where, receiver);
    draft.created(StoredMillis.of(text(user, "CreationDate")));
    String password = text(user, "Password");
    if (password.equals(name)) {
      draft.unusableKeys("its password is its name, which Openfire writes if it has only keys");
    } else if (!password.isEmpty()) {
      draft.password(password);
    }
    Element roster = user.child("Roster");
    for (Element item : roster == null ? List.<Element>of() : roster.children()) {
      draft.charge(ENTRY_BYTES);
      contact(draft, item);
    }
    receiver.account(draft.build());
  }

  private Jid address(String name) throws BadRecordException {
    try {
      return Jid.of(name, host, null);
    } catch (JidFormatException e) {
      throw new BadRecordException("\"" + name + "\" is not a name of an account");
    }
  }

  private static void contact(AccountDraft draft, Element item) {
    List<String> groups = new ArrayList<>();
    for (Element group : item.children()) {
      if (group.name().name().equals("Group")) {
        groups.add(group.text());
      }
    }
    OpenfireContact.of(
            attribute(item, "substatus"),
            attribute(item, "askstatus"),
            attribute(item, "recvstatus"))
        .addTo(draft, attribute(item, "jid"), item.attribute("name"), groups, null);
  }

  private static String attribute(Element item, String name) {
    String value = item.attribute(name);
    return value == null ? "" : value;
  }

  private static String text(Element user, String name) {
    Element child = user.child(name);
    return child == null ? "" : child.text();
  }

  @Override
  public void readRooms(Receiver receiver) {
    // The format has none.
  }

  @Override
  public void readMessages(Receiver receiver) {
    // The format has none.
  }

  @Override
  public void close() {
    // The file is open while it is read only.
  }
}
