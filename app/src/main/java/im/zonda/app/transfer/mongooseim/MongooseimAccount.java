package im.zonda.app.transfer.mongooseim;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ejabberd.AccountTables;
import im.zonda.app.transfer.ejabberd.EjabberdTables;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.foreign.ForeignDatabase;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/// One account of a MongooseIM.
///
/// @param now the time of items that have none
record MongooseimAccount(EjabberdTables tables, String host, String user, Instant now) {
  private static final String ONE_HASH = "==SCRAM==,";
  private static final String EACH_HASH = "==MULTI_SCRAM==,";
  private static final int PREFIX = 10;
  private static final Pattern COMMA = Pattern.compile(",");
  private static final Pattern BAR = Pattern.compile("\\|");

  /// Reads the account.
  ///
  /// @throws BadRecordException if it cannot be taken
  ImportedAccount read(Jid jid, String where, ImportSource.Receiver receiver)
      throws IOException, BadRecordException {
    AccountDraft draft = new AccountDraft(jid, where, receiver);
    credentials(draft);
    new AccountTables(tables, host, user).addTo(draft);
    new MongooseimNodes(database(), draft, now).read();
    preferences(draft);
    return draft.build();
  }

  private ForeignDatabase database() {
    return tables.database();
  }

  // ---- passwords

  private void credentials(AccountDraft draft) throws IOException {
    tables.query(
        "select password, pass_details from users where %s",
        row -> {
          String details = row.text(2);
          String password = row.text(1);
          if (details != null && !details.isEmpty()) {
            keys(draft, details);
          } else if (password != null && !password.isEmpty()) {
            draft.password(password);
          }
          return false;
        },
        host,
        user);
    if (database().hasTable("blocklist")
        && database()
                .number(
                    "select count(*) from blocklist where luser = ? and lserver = ?", user, host)
            > 0) {
      draft.disable();
    }
  }

  /// Keys of one hash, `==SCRAM==,STORED,SERVER,SALT,ITERATIONS`, or of several,
  /// `==MULTI_SCRAM==,ITERATIONS,===SHA1===SALT|STORED|SERVER,…`.
  private static void keys(AccountDraft draft, String details) {
    try {
      if (details.startsWith(ONE_HASH)) {
        String[] parts = COMMA.split(details.substring(ONE_HASH.length()), -1);
        draft.keys(
            "SHA-1",
            base64(parts[2]),
            Long.parseLong(parts[3]),
            base64(parts[0]),
            base64(parts[1]));
      } else if (details.startsWith(EACH_HASH)) {
        String[] parts = COMMA.split(details.substring(EACH_HASH.length()), -1);
        for (String hash : List.of(parts).subList(1, parts.length)) {
          keys(draft, hash, Long.parseLong(parts[0]));
        }
      } else {
        draft.unusableKeys("its keys have an unknown form");
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      draft.unusableKeys("its keys are damaged");
    }
  }

  private static void keys(AccountDraft draft, String text, long iterations) {
    String hash =
        switch (text.substring(0, PREFIX)) {
          case "===SHA1===" -> "SHA-1";
          case "==SHA256==" -> "SHA-256";
          case "==SHA512==" -> "SHA-512";
          default -> null; // SHA-224 and SHA-384: nobody logs in with them
        };
    if (hash != null) {
      String[] parts = BAR.split(text.substring(PREFIX), -1);
      draft.keys(hash, base64(parts[0]), iterations, base64(parts[1]), base64(parts[2]));
    }
  }

  private static byte[] base64(String text) {
    return Base64.getDecoder().decode(text.strip());
  }

  private void preferences(AccountDraft draft) throws IOException {
    if (database().hasTable("mam_config")
        && database().hasTable("mam_server_user")
        && database()
                .number(
                    """
                    select count(*) from mam_config c
                    join mam_server_user u on u.id = c.user_id
                    where u.server = ? and u.user_name = ?
                    """,
                    host,
                    user)
            > 0) {
      draft.omit("the archive's preferences", "set them again with a client");
    }
  }
}
