// In the folder of another package.

package v20210101storage
