package im.zonda.app.transfer.portable;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.jid.Jid;
import java.io.IOException;

/// One reading of all users of a document.
interface UserPass {
  /// Begins a user at whose element the file is.
  ///
  /// @return false if nothing of the user is wanted
  /// @throws BadRecordException if the user cannot be taken
  boolean begin(Jid account, XmlFile file) throws BadRecordException;

  /// Reads or skips the child of the user at which the file is, to its end.
  ///
  /// @throws BadRecordException if the user cannot be taken; the child has been read or skipped
  void child(XmlFile file) throws IOException, BadRecordException;

  /// Ends the user.
  void end() throws BadRecordException;

  /// Gives up the user that was begun.
  void abandon();
}
