/// Accounts and rooms from the SQL database of MongooseIM.
@NullMarked
package im.zonda.app.transfer.mongooseim;

import org.jspecify.annotations.NullMarked;
